"""House rules on screen: the form that sets them and the page that tells them."""

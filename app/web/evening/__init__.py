"""The evening: won and lost, who pays whom, who is who; and who is ahead over all of them."""

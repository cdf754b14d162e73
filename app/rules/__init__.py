"""The game of Chicago: its cards, hands, house rules and scores, without web or storage."""

"""What every request shares: its context, cookies, security headers, limits and event streams."""

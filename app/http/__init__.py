"""Parts that every request shares: context, cookies, security headers, limits, event streams."""

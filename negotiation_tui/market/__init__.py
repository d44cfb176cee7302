"""A room of many sellers and buyers who meet, negotiate, learn and keep wallets."""

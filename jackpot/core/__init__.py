"""What the jackpot server decides: accounts, chain, meters, hits, posting. Pure; knows no database and no clock."""

"""What several tests share and no production code needs."""

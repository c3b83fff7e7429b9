"""One seeded world in which the shipped cores run without event loop, sockets, clocks, disks and Postgres."""

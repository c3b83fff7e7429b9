"""What time is it? The system's clock, given to the pure parts as an argument."""

import asyncio
import random
import time

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0


class SystemClock:
    """The clock of this machine."""

    def now_us(self) -> int:
        """Microseconds since 1970 UTC."""
        return time.time_ns() // 1000

    async def pause(self, tries: int) -> None:
        """Wait before the `tries`-th attempt: twice as long each time, up to a second, no two processes alike."""
        longest = min(FIRST_PAUSE_S * 2 ** min(tries, 10), LONGEST_PAUSE_S)
        await asyncio.sleep(longest * random.uniform(0.5, 1))  # noqa: S311  it keeps nothing secret

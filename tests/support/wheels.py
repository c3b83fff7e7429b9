"""How a test reads a board as an eye does: the digits that its wheels spell at this moment."""

READ = """() => {
  const read = (row) => {
    let text = '';
    for (const slot of row.children) {
      if (slot.className === 'mark') continue;
      const roll = slot.firstChild, [now, next] = roll.children;
      const moved = /translateY\\((-?[0-9.e-]+)%\\)/.exec(roll.style.transform);
      const part = moved === null ? 0 : -Number(moved[1]) / 50;
      text += part < 0.5 ? now.textContent : next.textContent;
    }
    return text === '' ? null : text;
  };
  window.wheels = () => [...document.querySelectorAll('.wheels')].map(read);
  window.truths = () => [...document.querySelectorAll('.amount data')].map((data) => data.value);
}"""
"""Gives the page `wheels()` and `truths()`: the cents that each meter's wheels spell, and those of its truth layer.

A wheel more than half way to its next digit reads as that one.
"""

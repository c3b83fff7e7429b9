// Money as people read it. An amount arrives as a string of cents and stays a string: a Number would lose digits.

const formatters = new Map();

function formatter(currency) {
  if (!formatters.has(currency)) {
    formatters.set(currency, new Intl.NumberFormat("en", {
      style: "currency", currency, currencyDisplay: "narrowSymbol", minimumFractionDigits: 2, maximumFractionDigits: 2,
    }));
  }
  return formatters.get(currency);
}

/** The decimal text of a string of cents: "123456" gives "1234.56". */
export function decimal(cents) {
  const sign = cents.startsWith("-") ? "-" : "";
  const digits = cents.slice(sign.length).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A string of cents as an amount of a currency, with a true minus sign. */
export function money(cents, currency) {
  return formatter(currency).format(decimal(cents)).replace("-", "\u2212");
}

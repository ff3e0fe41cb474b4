// Splunk Web's translation functions, as identity functions.
(() => {
  const filled = (text, values) =>
    values.length === 0 ? text : String(text).replace(/%s/g, () => String(values.shift() ?? ''));
  window.gettext = (text) => text;
  window._ = window._ || window.gettext;
  window.ngettext = (one, many, count) => (count === 1 ? one : many);
  window.npgettext = (_context, one, many, count) => window.ngettext(one, many, count);
  window.pgettext = (_context, text) => text;
  window.sprintf = (text, ...values) => filled(text, values);
  window.locale_name = () => 'en-US';
  window.locale_uses_day_before_month = () => false;
  window.i18n_register = () => {};
})();

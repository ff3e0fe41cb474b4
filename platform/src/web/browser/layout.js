// The frame of Splunk Web around an app's page, as far as pages rely on it: a header, and a container for the rest.
(() => {
  const data = __DATA__;
  const { ground, bar, text, link, line } = data.colours;

  /** Creates an element; text is never parsed as markup. */
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const STYLE = `
body { margin: 0; background: ${ground}; color: ${text}; min-height: 100vh; display: flex; flex-direction: column; }
#web-main { flex: 1 0 auto; min-width: 0; outline: none; }
body.web-fixed { height: 100vh; overflow: hidden; }
body.web-fixed #web-main { flex: 1 0 0; min-height: 0; }
.web-header { flex: none; background: ${bar}; color: ${text}; border-bottom: 1px solid ${line}; font: 14px/1.5 ${data.typeface}; }
.web-header a, .web-header summary { color: ${link}; }
.web-header ul { display: flex; flex-wrap: wrap; gap: .25rem clamp(.75rem, 2vw, 1.25rem); list-style: none; margin: 0; padding: 0; }
.web-header details ul { display: block; padding: .25rem 0 .25rem 1rem; }
.web-header a, .web-header summary, .web-header button { box-sizing: border-box; min-height: 24px; padding: .25rem 0; cursor: pointer; }
.web-header a { display: inline-block; }
.web-header button { background: ${ground}; color: ${text}; border: 1px solid ${line}; border-radius: 3px; padding: .25rem .75rem; font: inherit; }
.web-header [aria-current] { color: ${text}; font-weight: 600; text-decoration-thickness: 3px; text-underline-offset: 6px; }
.web-header :focus-visible { outline: 2px solid ${link}; outline-offset: 2px; }
.web-row { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem clamp(.75rem, 2vw, 1.25rem); padding: .25rem clamp(12px, 2vw, 32px); }
.web-row strong { margin-right: auto; }
.web-header .web-skip { position: absolute; left: -100vw; background: ${bar}; padding: .5rem 1rem; z-index: 10000; }
.web-header .web-skip:focus { left: 0; }`;

  const [, appName = '', viewName = ''] = (/^\/[^/]+\/app\/([^/]+)(?:\/([^/]+))?/.exec(location.pathname) || []).map(
    (part) => decodeURIComponent(part || ''),
  );
  const app = Object.hasOwn(data.apps, appName) ? data.apps[appName] : { label: appName, items: [] };

  const entry = (item) => {
    if (item.kind === 'collection') {
      return make('li', {}, make('details', {}, make('summary', {}, item.label), list(item.items)));
    }
    const isView = item.kind === 'view';
    const href = isView ? `/en-US/app/${encodeURIComponent(appName)}/${encodeURIComponent(item.name)}` : item.href;
    const current = isView && item.name === viewName ? 'page' : undefined;
    return make('li', {}, make('a', { href, 'aria-current': current }, item.label));
  };
  const list = (items) => make('ul', {}, ...items.map(entry));

  const themeSwitch = () => {
    const button = make('button', { type: 'button' }, data.dark ? 'Switch to light theme' : 'Switch to dark theme');
    button.addEventListener('click', () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie store needs a secure origin, which plain HTTP is only on this machine
      document.cookie = `${data.cookie}=${data.otherTheme}; Path=/; Max-Age=31536000; SameSite=Lax`;
      location.reload();
    });
    return button;
  };

  /** The form key in the cookie proves to the server that one of its own pages asks. */
  const logout = () => {
    const button = make('button', { type: 'button', formaction: data.logout }, 'Log out');
    button.addEventListener('click', async () => {
      const [, formKey = ''] = document.cookie.match(`(?:^|; )${data.formCookie}=([^;]*)`) || [];
      await fetch(data.logout, { method: 'POST', headers: { 'X-Splunk-Form-Key': formKey } });
      location.assign(data.login);
    });
    return button;
  };

  const header = (options) => {
    const skip = make('a', { href: '#web-main', class: 'web-skip' }, 'Skip to main content');
    const element = make('header', { class: 'web-header', 'data-view': 'splunkjs/mvc/headerview' }, skip);
    if (!options.hideSplunkBar) {
      const user = data.user === null ? [] : [make('span', {}, data.user), logout()];
      element.append(make('div', { class: 'web-row' }, make('strong', {}, app.label), themeSwitch(), ...user));
    }
    if (!options.hideAppBar && app.items.length > 0) {
      element.append(make('nav', { class: 'web-row', 'aria-label': app.label }, list(app.items)));
    }
    return element;
  };

  let container;
  window.__splunk_layout__ = {
    create(options = {}) {
      if (container === undefined) {
        document.head.append(make('style', {}, STYLE));
        container = make('main', { id: 'web-main', tabindex: '-1' });
        if (options.layout === 'fixed') document.body.classList.add('web-fixed');
        if (!options.hideChrome) document.body.prepend(header(options));
        document.body.append(container);
      }
      return { getContainerElement: () => container };
    },
  };
})();

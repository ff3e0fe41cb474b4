import type { HostedApp } from '../../apps/hostedApp.ts';
import { parseBoolean } from '../../confs/conf.ts';
import { childText, readUiFile, readView, viewNames } from './views.ts';
import type { XmlElement } from './xmlReader.ts';

export type NavItem =
  | { kind: 'view'; name: string; label: string; isDefault: boolean }
  | { kind: 'link'; href: string; label: string }
  | { kind: 'collection'; label: string; items: NavItem[] };

/** Allows links to any host, but no scripts. */
const HREF = /^(?:https?:\/\/|\/(?![/\\]))/;

/**
 * The navigation of an app, `nav/default.xml`: labelled views, links and collections of both. Omits views that do not
 * exist or that the user may not read.
 */
export function readNav(app: HostedApp, readable: (object: string) => boolean): NavItem[] {
  if (!readable('nav/default')) return [];
  const root = readUiFile(app, 'nav', 'default');
  if (root === undefined) return [];
  const named = new Set(viewsNamed(root));
  const view = (name: string, isDefault: boolean): NavItem[] => {
    const page = readable(`views/${name}`) ? readView(app, name) : undefined;
    return page === undefined ? [] : [{ kind: 'view', name, label: page.label, isDefault }];
  };
  const items = (element: XmlElement): NavItem[] =>
    element.children.flatMap((child): NavItem[] => {
      const { name, source, match = '', default: usual, label = '', href = '' } = child.attributes;
      switch (child.name) {
        case 'view':
          if (name !== undefined) return view(name, parseBoolean(usual) === true);
          return viewNames(app)
            .filter((other) => other.includes(match) && (source === 'all' || !named.has(other)))
            .flatMap((other) => view(other, false));
        case 'a':
          return HREF.test(href) ? [{ kind: 'link', href, label: child.text.trim() || href }] : [];
        case 'collection': {
          const inside = items(child);
          return inside.length === 0
            ? []
            : [{ kind: 'collection', label: label || childText(child, 'label'), items: inside }];
        }
        default:
          return [];
      }
    });
  return items(root);
}

/** The app's start view: the one marked as default, or the first. */
export function defaultView(items: readonly NavItem[]): string | undefined {
  const views = flat(items);
  return (views.find(({ isDefault }) => isDefault) ?? views[0])?.name;
}

function flat(items: readonly NavItem[]): Extract<NavItem, { kind: 'view' }>[] {
  return items.flatMap((item) => (item.kind === 'view' ? [item] : item.kind === 'collection' ? flat(item.items) : []));
}

function viewsNamed(element: XmlElement): string[] {
  return element.children.flatMap((child) => [
    ...(child.name === 'view' && child.attributes.name !== undefined ? [child.attributes.name] : []),
    ...viewsNamed(child),
  ]);
}

import { objectIn } from './json.ts';
import type { ContainerProtocol } from './protocol.ts';
import { shapeProblem } from './status.ts';

/** The application of the data-science images. */
export const dsdl: ContainerProtocol = {
  probe: async (read, applications) =>
    shapeProblem(await read(''), (text) => {
      const app = bannerApp(text)?.toLowerCase();
      return app !== undefined && applications.some((name) => app.includes(name.toLowerCase()));
    }),
};

/** The server serialises the banner twice, so it may be a JSON string that holds JSON. */
export function bannerApp(text: string): string | undefined {
  const { app } = objectIn(innerText(text));
  return typeof app === 'string' ? app : undefined;
}

function innerText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

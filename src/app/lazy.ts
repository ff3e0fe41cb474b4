/** A port with only asynchronous methods. */
export type Asynchronous<T> = { [K in keyof T]: (...args: never[]) => Promise<unknown> };

/** A port whose adapter is created at each call with the current settings; modules are loaded on first use. */
export function lazy<T extends Asynchronous<T>>(load: () => Promise<T>): T {
  return new Proxy<T>(Object.create(null), {
    get(_, name) {
      // Awaiting or printing the port must not treat it as a promise.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      return async (...args: unknown[]) => {
        const port = await load();
        return Reflect.apply(Reflect.get(port, name), port, args);
      };
    },
  });
}

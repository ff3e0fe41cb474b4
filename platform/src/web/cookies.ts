export type Cookies = readonly [string, string][];

export function cookieValue(cookies: Cookies, name: string): string | undefined {
  return cookies.find(([cookie]) => cookie === name)?.[1];
}

type Rgb = readonly [red: number, green: number, blue: number];

const SHORT = /^#([\da-f])([\da-f])([\da-f])([\da-f])?$/i;
const LONG = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})([\da-f]{2})?$/i;
const RGB = /^rgba?\(([^,)]+),([^,)]+),([^,)]+)(?:,([^,)]+))?\)$/i;
const MOST = 255;

/**
 * Replaces colorjs.io in `@splunk/themes`, which needs only this of its 66 KB: it mixes two colours of a theme. Those are written in
 * hexadecimal digits, as `rgb()` with commas, or `transparent`.
 */
export default class Colour {
  /** 0 to 1 */
  readonly coords: Rgb;
  alpha: number;

  constructor(_space: string, coords: Rgb, alpha = 1) {
    this.coords = coords;
    this.alpha = alpha;
  }

  /** @returns null if the text is no such colour */
  static try(text: string): Colour | null {
    if (text === 'transparent') return new Colour('srgb', [0, 0, 0], 0);
    const digits = LONG.exec(text) ?? SHORT.exec(text)?.map((digit) => digit && digit + digit);
    const parts = digits?.map((hex) => Number.parseInt(hex, 16)) ?? RGB.exec(text)?.map(Number);
    if (!parts) return null;
    const [, red = 0, green = 0, blue = 0, alpha] = parts;
    const share = alpha === undefined || Number.isNaN(alpha) ? 1 : digits ? alpha / MOST : alpha;
    return new Colour('srgb', [red / MOST, green / MOST, blue / MOST], share);
  }

  to(): this {
    return this;
  }

  toString(): string {
    return `rgba(${this.coords.map((part) => Math.round(part * MOST)).join(', ')}, ${this.alpha})`;
  }
}

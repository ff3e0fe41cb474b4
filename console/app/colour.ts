import ColorSpace from 'colorjs.io/src/ColorSpace.js';
import sRGB from 'colorjs.io/src/spaces/srgb.js';
import tryColor from 'colorjs.io/src/tryColor.js';

ColorSpace.register(sRGB);

type Coords = readonly (number | null)[];

/**
 * The part of the class of colorjs.io that themes use, with its parser: they mix colours of sRGB. The rest of the class, which maps
 * colours between dozens of spaces, is 30 KB.
 */
export default class Color {
  readonly coords: Coords;
  alpha: number;

  constructor(_space: string, coords: Coords, alpha = 1) {
    this.coords = coords;
    this.alpha = alpha;
  }

  /** @returns null if the text is no colour */
  static try(text: string): Color | null {
    const parsed = tryColor(text);
    return parsed && new Color('srgb', parsed.coords, parsed.alpha ?? 1);
  }

  to(): this {
    return this;
  }

  toString({ format }: { format: 'rgb_number' | 'rgba_number' }): string {
    const bytes = this.coords.map((part) => Math.round((part ?? 0) * 255)).join(', ');
    return format === 'rgb_number' ? `rgb(${bytes})` : `rgba(${bytes}, ${this.alpha})`;
  }
}

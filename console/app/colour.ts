import ColorSpace from 'colorjs.io/src/ColorSpace.js';
import Color from 'colorjs.io/src/color.js';
import sRGB from 'colorjs.io/src/spaces/srgb.js';

// The themes use no other colour space; the package registers dozens.
ColorSpace.register(sRGB);
export default Color;

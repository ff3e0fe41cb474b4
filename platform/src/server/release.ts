/** What the embedded platform says it is; the bodies it gives were measured on this release. */
export const PLATFORM_VERSION = '10.4.2';
export const PLATFORM_BUILD = 'e3b0c44298fc';

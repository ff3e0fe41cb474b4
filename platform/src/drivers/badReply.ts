/** A reply of a driver that cannot be turned into an HTTP answer; the message is for client and log. */
export class BadDriverReply extends Error {}

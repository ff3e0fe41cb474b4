/** An element of a view or nav file. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Direct text content, with references resolved. */
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses the subset of XML in the platform's files, without DTD. Errors have a line number. */
export function readXml(source: string): XmlElement {
  return new Reader(source.replace(/^\uFEFF/, '')).document();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): XmlElement {
    const outside: XmlElement = { name: '', attributes: {}, children: [], text: '' };
    this.#content(outside);
    if (this.#at < this.#text.length) throw this.#error('a closing tag without its element');
    const [root, another] = outside.children;
    if (root === undefined || another !== undefined || outside.text.trim() !== '') {
      throw this.#error('there must be one element around everything');
    }
    return root;
  }

  /** Parses up to a closing tag or the end. */
  #content(parent: XmlElement): void {
    while (this.#at < this.#text.length) {
      const next = this.#text.indexOf('<', this.#at);
      parent.text += this.#resolved(this.#text.slice(this.#at, next < 0 ? undefined : next));
      this.#at = next < 0 ? this.#text.length : next;
      if (next < 0 || this.#starts('</')) return;
      if (this.#starts('<!--')) this.#upTo('-->');
      else if (this.#starts('<?')) this.#upTo('?>');
      else if (this.#starts('<![CDATA[')) parent.text += this.#upTo(']]>').slice(9);
      else if (this.#starts('<!')) throw this.#error('a document type, which is not read here');
      else parent.children.push(this.#element());
    }
  }

  #element(): XmlElement {
    this.#at += 1;
    const element = { name: this.#name(), attributes: this.#attributes(), children: [], text: '' };
    if (this.#take('/>')) return element;
    if (!this.#take('>')) throw this.#error(`the tag <${element.name}> is not closed`);
    this.#content(element);
    if (!this.#take(`</${element.name}`)) throw this.#error(`</${element.name}> is missing`);
    this.#space();
    if (!this.#take('>')) throw this.#error(`</${element.name}> is missing`);
    return element;
  }

  #attributes(): Record<string, string> {
    const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
    for (this.#space(); !/^[/>]?$/.test(this.#text.charAt(this.#at)); this.#space()) {
      const name = this.#name();
      this.#space();
      if (!this.#take('=')) throw this.#error(`the attribute ${name} has no value`);
      this.#space();
      const quote = this.#text.charAt(this.#at);
      if (quote !== '"' && quote !== "'") throw this.#error(`the value of ${name} has no quotes`);
      this.#at += 1;
      attributes[name] = this.#resolved(this.#upTo(quote));
    }
    return attributes;
  }

  #name(): string {
    const start = this.#at;
    while (/^[\w:.-]$/.test(this.#text.charAt(this.#at))) this.#at += 1;
    if (this.#at === start) throw this.#error('a name is missing');
    return this.#text.slice(start, this.#at);
  }

  #space(): void {
    while (/^\s$/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #starts(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#starts(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Returns the text before the end mark and continues after it. */
  #upTo(end: string): string {
    const position = this.#text.indexOf(end, this.#at);
    if (position < 0) throw this.#error(`${end} is missing`);
    const before = this.#text.slice(this.#at, position);
    this.#at = position + end.length;
    return before;
  }

  #resolved(text: string): string {
    return text.replace(/&(#x?)?(\w{1,8});/g, (match, number: string | undefined, name: string) => {
      if (number === undefined) return ENTITIES[name] ?? match;
      const code = Number.parseInt(name, number === '#' ? 10 : 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match;
    });
  }

  #error(text: string): Error {
    return new Error(`line ${this.#text.slice(0, this.#at).split('\n').length}: ${text}`);
  }
}

/** Finds many texts in one pass over another, in steps that do not depend on how many they are. */

interface Node {
  readonly next: Map<number, Node>;
  /** The texts that end here, by their number. */
  readonly ends: number[];
  /** The node of the longest other text that ends in the same way. */
  suffix: Node;
  /** The nearest of these suffixes at which a text ends. */
  shorter: Node | null;
  isFound: boolean;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What a text must have around it. */
export interface Boundaries {
  isStart(at: number): boolean;
  isEnd(at: number): boolean;
  /** Whether this place of the text with this number counts. */
  accepts(index: number, place: Place): boolean;
}

export class Trie {
  readonly #root: Node;
  readonly #count: number;
  /** Characters looked at. */
  steps = 0;

  /** @param texts Empty ones never occur. */
  constructor(texts: readonly string[]) {
    this.#root = newNode();
    this.#count = texts.length;
    for (const [index, text] of texts.entries()) if (text !== '') this.#insert(text, index);
  }

  #insert(text: string, index: number): void {
    let node = this.#root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const next = node.next.get(code) ?? newNode(this.#root);
      node.next.set(code, next);
      node = next;
    }
    node.ends.push(index);
  }

  /**
   * The first place of each text within these boundaries, by the number of the text. From each start it looks at no more
   * characters than the longest text has.
   */
  firstPlaces(within: string, { isStart, isEnd, accepts }: Boundaries): Map<number, Place> {
    const found = new Map<number, Place>();
    for (let start = 0; start < within.length && found.size < this.#count; start++) {
      this.steps++;
      let node = this.#root.next.get(within.charCodeAt(start));
      if (!node || !isStart(start)) continue;
      for (let end = start + 1; node; end++, this.steps++) {
        if (node.ends.length > 0 && isEnd(end)) {
          const place = { start, end };
          const rest = node.ends.filter((index) => !accepts(index, place));
          for (const index of node.ends) if (!rest.includes(index)) found.set(index, place);
          node.ends.splice(0, node.ends.length, ...rest);
        }
        node = end < within.length ? node.next.get(within.charCodeAt(end)) : undefined;
      }
    }
    return found;
  }

  /** The numbers of the texts that occur anywhere: the algorithm of Aho and Corasick. */
  occurring(within: string): Set<number> {
    this.#link();
    const found = new Set<number>();
    let node = this.#root;
    for (let at = 0; at < within.length; at++) {
      const code = within.charCodeAt(at);
      for (; node !== this.#root && !node.next.has(code); node = node.suffix) this.steps++;
      node = node.next.get(code) ?? this.#root;
      this.steps++;
      // The shorter ones of a text that was found before were found with it.
      for (let each: Node | null = node; each && !each.isFound; each = each.shorter) {
        each.isFound = true;
        for (const index of each.ends) found.add(index);
        this.steps++;
      }
    }
    return found;
  }

  /** Links each node to its suffixes, shorter texts first. */
  #link(): void {
    const queue = [...this.#root.next.values()];
    for (const node of queue) {
      node.shorter = node.suffix.ends.length > 0 ? node.suffix : node.suffix.shorter;
      for (const [code, next] of node.next) {
        let suffix = node.suffix;
        while (suffix !== this.#root && !suffix.next.has(code)) suffix = suffix.suffix;
        next.suffix = suffix.next.get(code) ?? this.#root;
        queue.push(next);
      }
    }
  }
}

/** @param root Absent: the node is the root. */
function newNode(root?: Node): Node {
  const node: Omit<Node, 'suffix'> & { suffix?: Node } = {
    ...{ next: new Map(), ends: [], shorter: null, isFound: false },
  };
  node.suffix = root ?? (node as Node);
  return node as Node;
}

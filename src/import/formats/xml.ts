/** Reads XML piece by piece, in bounded memory. */
import { Parser } from 'saxen';

/** A longer tag or text is damaged: a cell has far fewer characters. */
const tokenCharactersMax = 262_144;
const depthMax = 100;

/** The text is damaged XML, or not XML. */
export class XmlDamaged extends Error {}

/** The attributes of a tag, by their names without prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** Receives the parts of the XML, under names without prefixes. */
export type XmlHandlers = {
  /** Takes a tag; calling `attributes` reads its attributes. */
  readonly open: (name: string, attributes: () => Attributes) => void;
  readonly close?: (name: string) => void;
  /** Takes a text, or a part of one. */
  readonly text?: (text: string) => void;
};

/** Reads pieces of XML. Yields after each piece. */
export async function* readXml(
  pieces: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const decoder = new TextDecoder();
  let sinceToken = 0;
  let depth = 0;
  const parser = new Parser();
  const damaged = () => {
    parser.stop();
    throw new XmlDamaged();
  };
  parser.on('error', damaged);
  parser.on('openTag', (tag, getAttributes, decodeEntities) => {
    sinceToken = 0;
    if (++depth > depthMax) damaged();
    handlers.open(localName(tag), () =>
      Object.fromEntries(
        Object.entries(getAttributes()).map(([name, value]) => [
          localName(name),
          decodeEntities(value),
        ]),
      ),
    );
  });
  parser.on('closeTag', (tag) => {
    sinceToken = 0;
    depth--;
    handlers.close?.(localName(tag));
  });
  parser.on('text', (text, decodeEntities) => {
    sinceToken = 0;
    handlers.text?.(decodeEntities(text));
  });
  parser.on('cdata', (text) => {
    sinceToken = 0;
    handlers.text?.(text);
  });
  for await (const piece of pieces) {
    sinceToken += piece.length;
    parser.write(decoder.decode(piece, { stream: true }));
    if (sinceToken > tokenCharactersMax) throw new XmlDamaged();
    yield;
  }
  parser.write(decoder.decode());
  parser.end();
}

/** Reads pieces of XML to their end. */
export async function readXmlWhole(
  pieces: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const _ of readXml(pieces, handlers));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The marks of a scatter, and the properties of the chart. */

/** The shape of a mark; each has its colour. */
export type Shape = 'circle' | 'square' | 'triangle' | 'diamond';

/** A mark. */
export type Mark = {
  readonly key: string;
  readonly name: string;
  /** Its name beside it. */
  readonly label: string;
  /** Where it belongs, such as a country. */
  readonly place: string;
  readonly shape: Shape;
  readonly spend: number;
  readonly sales: number;
  /** Undefined where spend brought no ad sales. */
  readonly acos: number | undefined;
};

/** The ranges of a drag; undefined is open. */
export type Chosen = {
  readonly spend: readonly [number, number];
  readonly acos: readonly [number, number | undefined];
};

/** The properties of the chart. */
export type ScatterProps = {
  readonly name: string;
  /** The marks, those with the most spend first. */
  readonly marks: readonly Mark[];
  readonly currency: string;
  /** The line, and its name. */
  readonly line: { readonly acos: number; readonly name: string } | undefined;
  /** The spend from which a mark above the line is in the tinted quarter. */
  readonly muchSpend: number;
  readonly open: (key: string) => void;
  readonly choose: (chosen: Chosen) => void;
};

/** Places of labels beside dots, so that none covers another label or a dot. */

/** A dot that may get a label. */
export type LabelledDot = {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
};

/** A label in its place; `y` is its base line. */
export type Placed = {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
};

/** A rectangle, in pixels. */
export type Box = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

/** About the width of a letter at 11.5 px. */
export const letterWidth = 6.3;
const lineHeight = 14;
const gap = 6;

/**
 * Labels of the first dots, at most `most`; a dot without room gets none. No label covers any of
 * the boxes in `reserved`.
 */
export function placeLabels(
  dots: readonly LabelledDot[],
  within: Box,
  reserved: readonly Box[],
  most: number,
): readonly Placed[] {
  const taken: Box[] = dots.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  taken.push(...reserved);
  const placed: Placed[] = [];
  for (const dot of dots) {
    if (placed.length === most) break;
    const found = choicesOf(dot).find(
      ({ box }) => isInside(box, within) && !taken.some((other) => areTouching(box, other)),
    );
    if (found === undefined) continue;
    taken.push(found.box);
    placed.push(found.label);
  }
  return placed;
}

/** To the right, to the left, above and below. */
function choicesOf({ key, text, x, y, radius }: LabelledDot) {
  const width = text.length * letterWidth;
  const choice = (anchor: Placed['anchor'], labelX: number, middle: number) => {
    const start = anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2;
    const box: Box = {
      left: labelX - start,
      right: labelX - start + width,
      top: middle - lineHeight / 2,
      bottom: middle + lineHeight / 2,
    };
    return { box, label: { key, text, x: labelX, y: middle + 4, anchor } };
  };
  const away = radius + gap;
  return [
    choice('start', x + away, y),
    choice('end', x - away, y),
    choice('middle', x, y - radius - lineHeight / 2 - 2),
    choice('middle', x, y + radius + lineHeight / 2 + 2),
  ];
}

const isInside = (box: Box, { left, right, top, bottom }: Box) =>
  box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;

/** Whether two rectangles have a part in common. */
export const areTouching = (one: Box, other: Box): boolean =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

/** A text of at most `lettersMax` letters. */
export const shortened = (text: string, lettersMax: number): string =>
  text.length <= lettersMax ? text : `${text.slice(0, lettersMax - 1).trimEnd()}…`;

/** The document as a whole cannot be taken, for a reason that its sender can act on. */
export class DocumentRefused extends Error {}

/** The whole document is refused, for a reason that its sender can act on. */
export class DocumentRefused extends Error {}

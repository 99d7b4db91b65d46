/** The prefix of a tag that the whole organisation shares. */
export const sharedPrefix = 'org://';

import type { Answer } from '../client.ts';
/** Members, as their page and its dialogs share them. */

/** A member as the list answers it. */
export type Member = Answer<'listMembers'>['members'][number];
/** A link by which somebody chooses a password. */
export type Invitation = Answer<'renewInvitation'> & { readonly email: string };

/** Runs what needs the password, and asks for it if it was entered too long ago. */
export type Sure = <Made>(work: () => Promise<Made>) => Promise<Made>;

/** The visit of an operator: the documents on their way, and its end. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Uploads } from './uploads.ts';

type Access = {
  /** Forgets the token. */
  readonly leave: () => void;
  readonly uploads: Uploads;
};

/** Gives the visit to the sections. */
export const AccessContext = createContext<Access | undefined>(undefined);

/** The visit of the operator. */
export function useAccess(): Access {
  return useContext(AccessContext)!;
}

/** Decides which SKU owns a figure that names only a product id. */
import { bodyFile, type Places } from '../engine/question.ts';

const owners = bodyFile(import.meta.url, 'productOwners.sql');

/**
 * The places of questions about one channel: `owners`, the product ids with their owners, and
 * `ownSku`, the SKU of the figure that they are joined to, "" if no SKU owns it.
 */
export const productOwners = {
  owners,
  ofChannels: 'channel = {channel:Int32}',
  ownSku: "CASE WHEN sku <> '' THEN sku ELSE coalesce(owner, '') END",
} satisfies Places;

/** The places of questions about any number of channels. */
export const productOwnersOfChannels = {
  owners,
  ofChannels: 'one_of(channel, {channels:Array(Int32)})',
} satisfies Places;

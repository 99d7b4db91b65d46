/** Decides to which SKU a figure belongs that names a product id alone. */
import { bodyFile } from '../engine/question.ts';

/** The place `owners` of questions that use it: the product ids that one SKU alone has. */
export const productOwners = { owners: bodyFile(import.meta.url, 'productOwners.sql') };

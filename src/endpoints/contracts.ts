/** The table of contents: every operation of the public interface. */
import type { Contract } from '../contract/endpoint.ts';
import { listChannels } from './channels/contract.ts';
import { changeCustomGroup, deleteCustomGroup, listCustomGroups, readCustomGroup, saveCustomGroup } from './customGroups/contract.ts';
import { viewAdvertisingByChannels, viewSalesByPeriod } from './reports/view/contract.ts';
import { changeChannelTags } from './tags/contract.ts';

/** Contracts by operation. */
export const contracts = {
  listChannels,
  changeChannelTags,
  saveCustomGroup,
  listCustomGroups,
  readCustomGroup,
  changeCustomGroup,
  deleteCustomGroup,
  viewSalesByPeriod,
  viewAdvertisingByChannels,
} satisfies Readonly<Record<string, Contract>>;

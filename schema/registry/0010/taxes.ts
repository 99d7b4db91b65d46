import { owner, required, type TableBuilder } from '../columns.ts';

/** Adds each channel's settings for tax in prices, and the tax rates that no document states. */
export async function addTaxes({ schema, text, integer, create }: TableBuilder): Promise<void> {
  // Null where the marketplace decides.
  await schema.alterTable('channel').addColumn('prices_include_tax', integer).execute();
  // As JSON, the dates with prices whose tax is unknown; null if there are none.
  await schema.alterTable('channel').addColumn('unstated_tax', text).execute();
  await create(
    schema
      .createTable('tax_rate')
      .addColumn('channel_number', integer, owner('channel.channel_number'))
      // "" for the rate of all SKUs without their own.
      .addColumn('sku', text, required)
      .addColumn('effective_from', text, required)
      // In millionths of the price without tax.
      .addColumn('rate', integer, required)
      .addPrimaryKeyConstraint('tax_rate_key', ['channel_number', 'sku', 'effective_from']),
  );
}

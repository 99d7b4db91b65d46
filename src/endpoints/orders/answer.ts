/** Orders in answers. */

import { type Channel, merchantParts, sealBoundOf } from '../../access/channels.ts';
import { mayReadBuyers } from '../../access/rights.ts';
import { buyerEmailUse } from '../../access/secret.ts';
import type { Context } from '../handler.ts';
import type { Order } from './contract.ts';

/** The record of an order in the warehouse. */
export type OrderRecord = {
  readonly order_id: string;
  readonly purchased_at: number;
  readonly updated_at: number;
  readonly status: string;
  readonly record: string;
  readonly sealed_email: string;
};

/** The orders of an answer, with "", 0 or false for unknown fields. */
export function ordersOf(
  shown: readonly { readonly order_id: string }[],
  records: ReadonlyMap<string, OrderRecord>,
  { channel, caller, seal, log }: Context & { readonly channel: Channel },
): Order[] {
  const showsBuyers = mayReadBuyers(caller);
  const emails = seal(buyerEmailUse);
  const bound = sealBoundOf(channel);
  let unopened = 0;
  const opened = (sealed: string) => {
    if (sealed === '' || !showsBuyers) return '';
    try {
      return emails.open(sealed, bound);
    } catch {
      unopened++;
      return '';
    }
  };
  const orders = shown.map(({ order_id }) => {
    const record = records.get(order_id)!;
    const order = orderOf(record, opened(record.sealed_email), channel);
    return showsBuyers ? order : { ...order, ShippingAddress: addressOf() };
  });
  if (unopened > 0)
    log.warn(
      { orders: unopened },
      "skipped buyers' addresses that were sealed with another secret or for another channel",
    );
  return orders;
}

/** The known fields of an order, by their names in the contract. */
type KnownFields = {
  readonly [Field in keyof Order]?: Order[Field] extends object
    ? Partial<Order[Field]>
    : Order[Field];
};

function orderOf(
  { order_id, purchased_at, updated_at, status, record }: OrderRecord,
  email: string,
  { merchantId }: Channel,
): Order {
  const known = JSON.parse(record) as KnownFields;
  const { sellerId, marketplaceId } = merchantParts(merchantId);
  return {
    SellerId: known.SellerId ?? sellerId,
    MarketplaceId: known.MarketplaceId ?? marketplaceId,
    PlatformOrderId: order_id,
    BuyerInfo: { BuyerEmail: email },
    FulfillmentChannel: known.FulfillmentChannel ?? '',
    SalesChannel: known.SalesChannel ?? '',
    OrderStatus: status,
    OrderType: known.OrderType ?? '',
    ShipServiceLevel: known.ShipServiceLevel ?? '',
    ShipmentServiceLevelCategory: known.ShipmentServiceLevelCategory ?? '',
    PaymentMethod: known.PaymentMethod ?? '',
    PaymentMethodDetails: known.PaymentMethodDetails ?? '',
    EarliestDeliveryDate: known.EarliestDeliveryDate ?? '',
    EarliestShipDate: known.EarliestShipDate ?? '',
    LatestShipDate: known.LatestShipDate ?? '',
    LatestDeliveryDate: known.LatestDeliveryDate ?? '',
    PurchaseDate: instantText(purchased_at),
    LastUpdateDate: updated_at === 0 ? '' : instantText(updated_at),
    AutomatedShippingSettings: {
      HasAutomatedShippingSettings:
        known.AutomatedShippingSettings?.HasAutomatedShippingSettings ?? 'false',
      AutomatedShipMethodName: known.AutomatedShippingSettings?.AutomatedShipMethodName ?? '',
      AutomatedCarrierName: known.AutomatedShippingSettings?.AutomatedCarrierName ?? '',
    },
    NumberOfItemsShipped: known.NumberOfItemsShipped ?? 0,
    NumberOfItemsUnshipped: known.NumberOfItemsUnshipped ?? 0,
    IsPremiumOrder: known.IsPremiumOrder ?? false,
    IsPrime: known.IsPrime ?? false,
    HasRegulatedItems: known.HasRegulatedItems ?? false,
    IsReplacementOrder: known.IsReplacementOrder ?? false,
    IsSoldByAB: known.IsSoldByAB ?? false,
    IsISPU: known.IsISPU ?? false,
    IsAccessPointOrder: known.IsAccessPointOrder ?? false,
    IsBusinessOrder: known.IsBusinessOrder ?? false,
    IsGlobalExpressEnabled: known.IsGlobalExpressEnabled ?? false,
    DefaultShipFromLocationAddress: addressOf(known.DefaultShipFromLocationAddress),
    ShippingAddress: addressOf(known.ShippingAddress),
    OrderTotal: {
      Amount: known.OrderTotal?.Amount ?? 0,
      CurrencyCode: known.OrderTotal?.CurrencyCode ?? '',
    },
  };
}

function addressOf({
  StateOrRegion = '',
  PostalCode = '',
  City = '',
  CountryCode = '',
}: KnownFields['ShippingAddress'] = {}): Order['ShippingAddress'] {
  return { StateOrRegion, PostalCode, City, CountryCode };
}

function instantText(instant: number): string {
  return new Date(instant * 1000).toISOString().replace('.000Z', 'Z');
}

# Written by `npm run documents` from docs/openapi.json: do not edit.
"""The objects that the service takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class ListChannelsRequest(TypedDict):
    filter: NotRequired[ListChannelsRequestFilter]
    include: NotRequired[list[Literal["details", "freshness"]]]
    """Further fields of each channel."""


class Channel(TypedDict):
    channelId: str
    """Identifier of the channel."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    marketplace: str
    """Marketplace on which the channel sells; primarymkt is the primary one."""
    countryCode: str
    """ISO 3166-1 alpha-3 code of the country."""
    displayName: str
    """Name of the store."""
    hasAdvertisingConnected: bool
    """Whether advertising figures come in for the channel."""
    kind: NotRequired[Literal["seller", "vendor"]]
    """What the owner of the channel is on its marketplace. With details only."""
    currency: NotRequired[str]
    """The channel's currency, ISO 4217. With details only."""
    timezone: NotRequired[str]
    """The channel's IANA time zone. With details only."""
    freshness: NotRequired[ChannelFreshness]
    """The last date with facts, YYYY-MM-DD, of each dataset that has dated ones; those of instants
    are dates in the channel's time zone. With freshness only.
    """


class TagSet(TypedDict):
    channelId: str
    """Identifier of the channel."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    tags: list[str]
    """All tags of the channel that the caller sees, in order of their bytes."""


class ListTagsAnswer(TypedDict):
    pageIndex: int
    """Number of this page, counted from 0."""
    pageSize: int
    """Channels per page."""
    totalCount: int
    """Channels on all pages."""
    totalPages: int
    """Pages that have channels."""
    items: list[TagSet]


class ReadChannelTagsAnswer(TypedDict):
    channelId: str
    """Identifier of the channel."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    tags: list[str]
    """All tags of the channel that the caller sees, in order of their bytes."""


class ChangeChannelTagsRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    addTags: NotRequired[list[str]]
    """Tags to be added."""
    removeTags: NotRequired[list[str]]
    """Tags to be removed."""


class ChangeChannelTagsAnswer(TypedDict):
    channelId: str
    """Identifier of the channel."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    tags: list[str]
    """All tags of the channel that the caller sees after the change, in order of their bytes."""


class ConvertTagRequest(TypedDict):
    tag: str


class ConvertTagAnswer(TypedDict):
    tag: str
    """The new tag."""
    channels: int
    """Number of channels that were changed."""


class LineageFacts(TypedDict):
    """The facts of a date that one import brought."""
    table: str
    """The table of the facts, as exports name it."""
    partition: str | None
    """The part of the table by which documents share a day, such as a type of advertising or a
    source of financial events; null in tables without parts.
    """
    importId: int
    """The import that brought the facts."""
    rows: int
    """Facts of the date that the import brought."""
    rowsCoarse: int
    """Those of them that cover several days and count on the last one."""
    since: str | None
    """The first day of those of several days; null where there are none."""
    sums: list[LineageFactsSumsItem]
    """Sums by currency; none of tables without figures that add up."""


class ImportedDocument(TypedDict):
    """The identity of an imported document."""
    sha256: str
    """SHA-256 of the body as it was received, packed or not, in hexadecimal digits."""
    bytes: int
    """Size of the body as it was received."""
    mediaType: str | None
    """Media type that the sender named, without parameters; null without one."""
    fileName: str | None
    """Name of the file that the sender named; null without one."""


class LineageSuperseded(TypedDict):
    """An import whose facts of a date were superseded."""
    table: str
    """The table of the facts, as exports name it."""
    partition: str | None
    """The part of the table by which documents share a day, such as a type of advertising or a
    source of financial events; null in tables without parts.
    """
    importId: int
    """The import that brought the facts."""
    rows: int | None
    """Facts that were superseded, where their history is kept; else null."""
    reason: Literal["restated", "newerVersion", "precedence"]
    """restated: a later import covers the date. newerVersion: a later import brought newer
    versions of the same rows. precedence: another source of the same money takes precedence.
    """
    supersededBy: int
    """The import that superseded it."""


class UnknownCode(TypedDict):
    """A financial code that no list knows."""
    source: Literal["settlement", "transactions", "financialEvents", "economics", "reimbursements", "returns"]
    """The source of the amounts: the kind of financial document."""
    code: str
    """Type, component and code, as the document has them."""
    line: Literal["sales", "promotions", "refunds", "reimbursements", "otherIncome", "advertisingSpend", "sellingFees", "shippingFees", "refundsAndReturnsOverheads", "cogs", "otherExpenses", "balance", "sales.tax", "refunds.tax"] | None
    """The line that an owner has named; else null."""
    currency: str
    """The currency of the amount, ISO 4217."""
    amount: float
    """The sum of its events, credits positive."""
    rows: int
    """The number of events."""
    firstAt: int
    """The first of them, epoch seconds."""
    lastAt: int
    """The last of them, epoch seconds."""


class ReadLineageAnswer(TypedDict):
    channelId: str
    """Identifier of the channel."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    dataset: str
    """The dataset."""
    date: str
    """The date."""
    timezone: str
    """The channel's time zone."""
    facts: list[LineageFacts]
    """By table, part and import."""
    imports: list[LineageImport]
    """The newest first."""
    superseded: list[LineageSuperseded]
    """By import, the newest first."""
    unknownCodes: list[UnknownCode]
    """Of financial events of the date: the codes that no list knows, with their lines."""
    rates: list[LineageRate]
    """By the currency of the facts, or the channel's without facts."""


class GroupProduct(TypedDict):
    sellerSku: str
    """The seller's SKU of the product."""


class SaveCustomGroupRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    groupId: NotRequired[int | str]
    """Identifier of the group: an integer, or its digits."""
    groupName: str
    """Name of the group."""
    products: NotRequired[list[GroupProduct]]
    """Products of the group."""
    brands: NotRequired[list[str]]
    """Brands of the group."""


class SaveCustomGroupAnswer(TypedDict):
    groupId: int
    """Identifier of the group."""


class ListedCustomGroup(TypedDict):
    groupId: int
    """Identifier of the group."""
    groupName: str
    """Name of the group."""


class ListCustomGroupsAnswer(TypedDict):
    groups: list[ListedCustomGroup]
    total: int
    """Number of groups on all pages together."""


class CustomGroup(TypedDict):
    groupId: int
    """Identifier of the group."""
    groupName: str
    """Name of the group."""
    products: list[CustomGroupProductsItem]
    brands: list[str]


class ReadCustomGroupAnswer(TypedDict):
    group: CustomGroup


class ChangeCustomGroupRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    groupName: NotRequired[str]
    """Name of the group."""
    addProducts: NotRequired[list[GroupProduct]]
    """Products to be added, after those that are there."""
    removeProducts: NotRequired[list[GroupProduct]]
    """Products to be removed."""
    addBrands: NotRequired[list[str]]
    """Brands to be added, after those that are there."""
    removeBrands: NotRequired[list[str]]
    """Brands to be removed."""


class ViewAdvertisingByChannelsRequest(TypedDict):
    reportOptions: ViewAdvertisingByChannelsRequestReportOptions
    currentCurrency: str
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    vendorRevenueType: NotRequired[Literal["orderedRevenue", "shippedRevenue"]]
    """What counts as the sales of vendor channels: what was ordered, or what the vendor supplied
    and was shipped.
    """
    orderBy: NotRequired[Literal["store", "countryCode", "marketplace_id", "seller_id", "adsales", "priorAdsales", "spend", "priorSpend", "acos", "priorAcos", "roas", "priorRoas", "tacos", "priorTacos", "troas", "priorTroas", "ctr", "cpc", "conv", "NTB_sales", "pecentage_sales_NTB", "percentage_orders_NTB", "percentage_units_NTB", "impressions", "clicks", "orders", "units", "NTB_orders", "NTB_units", "attributed_units_ordered_same_sku"]]
    """Field by which the items are sorted, the largest first, "-" last; equal ones by channelId."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""
    filter: NotRequired[ViewAdvertisingByChannelsRequestFilter]
    searchText: NotRequired[str]
    """Part of the name of the store, of the name of the marketplace or of the marketplace_id, in
    any letter case.
    """


class AdvertisingByChannelItem(TypedDict):
    store: str
    """Name of the store."""
    countryCode: str
    """ISO 3166-1 alpha-3 code of the country."""
    marketplace_id: str
    """The part of merchantId after " @ ", "" where there is none."""
    seller_id: str
    """The part of merchantId before " @ ", all of it where there is none."""
    adsales: str
    """Sales attributed to ads."""
    priorAdsales: str
    """Sales attributed to ads."""
    spend: str
    """Cost of ads."""
    priorSpend: str
    """Cost of ads."""
    acos: str
    """spend / adsales, in percent."""
    priorAcos: str
    """spend / adsales, in percent."""
    roas: str
    """adsales / spend."""
    priorRoas: str
    """adsales / spend."""
    tacos: str
    """spend / total sales, in percent."""
    priorTacos: str
    """spend / total sales, in percent."""
    troas: str
    """Total sales / spend."""
    priorTroas: str
    """Total sales / spend."""
    ctr: str
    """clicks / impressions, in percent."""
    cpc: str
    """spend / clicks."""
    conv: str
    """orders / clicks, in percent."""
    NTB_sales: str
    """Attributed sales to customers new to the brand; Sponsored Products have none."""
    pecentage_sales_NTB: str
    """NTB_sales / adsales, in percent. The name is spelled so."""
    percentage_orders_NTB: str
    """NTB_orders / orders, in percent."""
    percentage_units_NTB: str
    """NTB_units / units, in percent."""
    impressions: int
    """Times ads were shown."""
    clicks: int
    """Clicks on ads."""
    orders: int
    """Orders attributed to ads."""
    units: int
    """Units attributed to ads."""
    NTB_orders: int
    """Attributed orders of customers new to the brand."""
    NTB_units: int
    """Attributed units of customers new to the brand."""
    attributed_units_ordered_same_sku: int
    """Attributed units of the advertised product itself."""


class ViewAdvertisingByChannelsAnswer(TypedDict):
    status: Literal["success"]
    data: ViewAdvertisingByChannelsAnswerData


class ByPeriodOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""
    interval: NotRequired[Literal["h", "d", "w", "M", "Q", "y", "hour", "day", "week", "month", "quarter", "year"]]
    """Length of a bucket: h hour, d day, w week from Monday, M month, Q quarter, y year, or the
    word itself. The first and last bucket are clipped to the period.
    """


class ViewSalesByPeriodRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    reportOptions: ByPeriodOptions
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    sellerSkus: NotRequired[list[str]]
    """Restricts order lines, traffic and product-level advertising to these SKUs. Unknown ones are
    ignored; an empty list does not restrict.
    """


class SalesByPeriodRow(TypedDict):
    startTime: str
    """Start of the bucket: ISO 8601 with the offset in force."""
    endTime: str
    """Last second of the bucket."""
    currency: str
    """Currency of all amounts, ISO 4217."""
    unitsSold: int
    """Units ordered."""
    priorUnitsSold: int
    """Units ordered."""
    lineItemCount: int
    """Order lines."""
    priorLineItemCount: int
    """Order lines."""
    pageViews: int
    """Page views."""
    priorPageViews: int
    """Page views."""
    totalSessions: int
    """Sessions."""
    priorTotalSessions: int
    """Sessions."""
    impressions: int
    """Times ads were shown."""
    priorImpressions: int
    """Times ads were shown."""
    clicks: int
    """Clicks on ads."""
    priorClicks: int
    """Clicks on ads."""
    sales: str
    """Ordered product sales, with tax by includeTax."""
    priorSales: str
    """Ordered product sales, with tax by includeTax."""
    avgLineItemValue: str
    """sales / lineItemCount."""
    priorAvgLineItemValue: str
    """sales / lineItemCount."""
    pageViewsConversions: str
    """unitsSold / pageViews, in percent."""
    priorPageViewsConversions: str
    """unitsSold / pageViews, in percent."""
    sessionConversions: str
    """unitsSold / totalSessions, in percent; may exceed 100."""
    priorSessionConversions: str
    """unitsSold / totalSessions, in percent; may exceed 100."""
    buyboxWinPercentage: str
    """Share of page views with the featured offer, in percent."""
    priorBuyboxWinPercentage: str
    """Share of page views with the featured offer, in percent."""
    adSpend: str
    """Cost of ads."""
    priorAdSpend: str
    """Cost of ads."""
    adSales: str
    """Sales attributed to ads."""
    priorAdSales: str
    """Sales attributed to ads."""
    clickThroughRate: str
    """clicks / impressions, in percent with two decimals."""
    priorClickThroughRate: str
    """clicks / impressions, in percent with two decimals."""
    acos: str
    """adSpend / adSales, in percent."""
    priorAcos: str
    """adSpend / adSales, in percent."""
    tacos: str
    """adSpend / sales, in percent."""
    priorTacos: str
    """adSpend / sales, in percent."""


class ViewSalesByPeriodAnswer(TypedDict):
    status: Literal["success"]
    currency: str
    """Currency of all amounts, ISO 4217."""
    formattedChartData: list[SalesByPeriodRow]


class ViewVendorSalesByPeriodRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    reportOptions: ViewVendorSalesByPeriodRequestReportOptions
    asins: NotRequired[list[str]]
    """Restricts sales and advertised products to these ASINs. Unknown ones are ignored; an empty
    list does not restrict.
    """


class VendorSalesByPeriodRow(TypedDict):
    startTime: str
    """Start of the bucket: ISO 8601 with the offset in force."""
    endTime: str
    """Last second of the bucket."""
    currency: str
    """Currency of all amounts, ISO 4217."""
    glanceViews: int
    """Views of product pages."""
    priorGlanceViews: int
    """Views of product pages."""
    orderedUnits: int
    """Units ordered of the vendor's products."""
    priorOrderedUnits: int
    """Units ordered of the vendor's products."""
    shippedUnits: int
    """Units shipped that the vendor itself supplied."""
    priorShippedUnits: int
    """Units shipped that the vendor itself supplied."""
    shippedUnitsManufacturing: int
    """Units shipped of all the vendor's products, from any supplier."""
    priorShippedUnitsManufacturing: int
    """Units shipped of all the vendor's products, from any supplier."""
    impressions: int
    """Times ads were shown."""
    priorImpressions: int
    """Times ads were shown."""
    clicks: int
    """Clicks on ads."""
    priorClicks: int
    """Clicks on ads."""
    orderedRevenue: str
    """Ordered revenue of all the vendor's products."""
    priorOrderedRevenue: str
    """Ordered revenue of all the vendor's products."""
    conversionRate: str
    """orderedUnits / glanceViews, in percent; may exceed 100."""
    priorConversionRate: str
    """orderedUnits / glanceViews, in percent; may exceed 100."""
    retailPrice: str
    """orderedRevenue / orderedUnits."""
    priorRetailPrice: str
    """orderedRevenue / orderedUnits."""
    shippedRevenue: str
    """Revenue of the shipped units that the vendor itself supplied."""
    priorShippedRevenue: str
    """Revenue of the shipped units that the vendor itself supplied."""
    shippedRevenueManufacturing: str
    """Revenue of all shipped units of the vendor's products."""
    priorShippedRevenueManufacturing: str
    """Revenue of all shipped units of the vendor's products."""
    shippedCogs: str
    """What the marketplace paid for the shipped units that the vendor itself supplied."""
    priorShippedCogs: str
    """What the marketplace paid for the shipped units that the vendor itself supplied."""
    shippedCogsManufacturing: str
    """What the marketplace paid for all shipped units of the vendor's products."""
    priorShippedCogsManufacturing: str
    """What the marketplace paid for all shipped units of the vendor's products."""
    adSales: str
    """Sales attributed to ads."""
    priorAdSales: str
    """Sales attributed to ads."""
    adSpend: str
    """Cost of ads."""
    priorAdSpend: str
    """Cost of ads."""
    acos: str
    """adSpend / adSales, in percent."""
    priorAcos: str
    """adSpend / adSales, in percent."""
    tacosOrderedRevenue: str
    """adSpend / orderedRevenue, in percent."""
    priorTacosOrderedRevenue: str
    """adSpend / orderedRevenue, in percent."""
    tacosShippedRevenue: str
    """adSpend / shippedRevenue, in percent."""
    priorTacosShippedRevenue: str
    """adSpend / shippedRevenue, in percent."""
    tacosManufacturing: str
    """adSpend / shippedRevenueManufacturing, in percent."""
    priorTacosManufacturing: str
    """adSpend / shippedRevenueManufacturing, in percent."""
    clickThroughRate: str
    """clicks / impressions, in percent with two decimals."""
    priorClickThroughRate: str
    """clicks / impressions, in percent with two decimals."""


class ViewVendorSalesByPeriodAnswer(TypedDict):
    status: Literal["success"]
    currency: str
    """Currency of all amounts, ISO 4217."""
    formattedChartData: list[VendorSalesByPeriodRow]


class ViewProfitByPeriodRequest(TypedDict):
    channelId: NotRequired[str]
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: NotRequired[str]
    """Identifier of the merchant that owns the channel."""
    channelIds: NotRequired[list[str]]
    """Channels that are added up, at most 20 different ones; with channelId and merchantId, beside
    that one.
    """
    reportOptions: ViewProfitByPeriodRequestReportOptions
    currentCurrency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case. Without it,
    amounts are in the currency of the channels, or in USD if they have several.
    """
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    includeCogsRefunds: NotRequired[bool]
    """When true, cogs is less the cost of the units returned."""


class ProfitByPeriodRow(TypedDict):
    startTime: str
    """Start of the bucket: ISO 8601 with the offset in force."""
    endTime: str
    """Last second of the bucket."""
    currency: str
    """Currency of all amounts, ISO 4217."""
    totalRevenue: str
    """sales + refunds + promotions + reimbursements + otherIncome."""
    priorTotalRevenue: str
    """sales + refunds + promotions + reimbursements + otherIncome."""
    totalExpenses: str
    """advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs +
    otherExpenses.
    """
    priorTotalExpenses: str
    """advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs +
    otherExpenses.
    """
    sales: str
    """Price of the items sold, with tax by includeTax."""
    priorSales: str
    """Price of the items sold, with tax by includeTax."""
    refunds: str
    """What was refunded, with tax by includeTax; negative as a rule."""
    priorRefunds: str
    """What was refunded, with tax by includeTax; negative as a rule."""
    promotions: str
    """Promotions and coupons that the seller paid for; negative as a rule."""
    priorPromotions: str
    """Promotions and coupons that the seller paid for; negative as a rule."""
    reimbursements: str
    """What the marketplace made good, such as lost and damaged stock."""
    priorReimbursements: str
    """What the marketplace made good, such as lost and damaged stock."""
    otherIncome: str
    """Shipping and gift wrap that buyers paid for, liquidations, other credits."""
    priorOtherIncome: str
    """Shipping and gift wrap that buyers paid for, liquidations, other credits."""
    advertisingSpend: str
    """What advertising cost. Positive where it is a cost, negative where more came back."""
    priorAdvertisingSpend: str
    """What advertising cost. Positive where it is a cost, negative where more came back."""
    sellingFees: str
    """Referral, closing, digital service and subscription fees. Positive where it is a cost,
    negative where more came back.
    """
    priorSellingFees: str
    """Referral, closing, digital service and subscription fees. Positive where it is a cost,
    negative where more came back.
    """
    shippingFees: str
    """Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped.
    Positive where it is a cost, negative where more came back.
    """
    priorShippingFees: str
    """Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped.
    Positive where it is a cost, negative where more came back.
    """
    refundsAndReturnsOverheads: str
    """What refunds and returns cost besides the refund itself. Positive where it is a cost,
    negative where more came back.
    """
    priorRefundsAndReturnsOverheads: str
    """What refunds and returns cost besides the refund itself. Positive where it is a cost,
    negative where more came back.
    """
    cogs: str
    """What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit
    returned. Positive where it is a cost, negative where more came back.
    """
    priorCogs: str
    """What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit
    returned. Positive where it is a cost, negative where more came back.
    """
    otherExpenses: str
    """Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost,
    negative where more came back.
    """
    priorOtherExpenses: str
    """Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost,
    negative where more came back.
    """
    netProfit: str
    """totalRevenue - totalExpenses."""
    priorNetProfit: str
    """totalRevenue - totalExpenses."""
    margin: str
    """netProfit / totalRevenue, in percent."""
    priorMargin: str
    """netProfit / totalRevenue, in percent."""
    salesWithoutUnitCosts: str
    """Of sales, those without any cost of goods: no unit cost of the SKU applies on their date and
    no source reports one in the bucket.
    """
    priorSalesWithoutUnitCosts: str
    """Of sales, those without any cost of goods: no unit cost of the SKU applies on their date and
    no source reports one in the bucket.
    """
    productsWithoutUnitCosts: int
    """How many SKUs these sales are of."""
    priorProductsWithoutUnitCosts: int
    """How many SKUs these sales are of."""


class ViewProfitByPeriodAnswer(TypedDict):
    status: Literal["success"]
    currency: str
    """Currency of all amounts, ISO 4217."""
    formattedChartData: list[ProfitByPeriodRow]


class ViewSalesByProductRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    includeNoSales: NotRequired[bool]
    """true adds the products of the catalogue and of the inventory, and those with ads, that were
    not sold in either period.
    """
    includeNoInventory: NotRequired[bool]
    """false removes products of which no unit was available at the end of the period, where the
    inventory is known.
    """
    searchText: NotRequired[str]
    """Part of the title, the SKU or the productSku, in any letter case."""
    sortKey: NotRequired[Literal["productId", "title", "sku", "productSku", "linkUrl", "imageUrl", "price", "totalSales", "unitsSold", "avPrice", "lastSold", "noQuantitySinceTime", "acos", "tacos"]]
    """Column that the rows are sorted by."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class SoldProduct(TypedDict):
    productId: str
    """Identifies the row: the SKU or, where no SKU is known, the product id of the platform; ""
    for facts that name neither.
    """
    title: str
    """The title, "" when it is not known."""
    sku: str
    """The SKU, "" when it is not known."""
    productSku: str
    """The product id of the platform (ASIN), "" when it is not known."""
    linkUrl: str
    """Address of the product page, "" when not known."""
    imageUrl: str
    """Address of an image, "" when not known."""
    price: float | None
    """The present price of the offer, null when it is not known."""
    totalSales: float
    """Ordered product sales, with tax by includeTax."""
    unitsSold: int
    """Units ordered."""
    avPrice: float
    """totalSales / unitsSold, 0 without units."""
    lastSold: int | None
    """When the product was last sold up to the end of the period, in epoch seconds; null for
    never. Of sales that are known by date alone, the start of the date.
    """
    noQuantitySinceTime: int | None
    """Start of the first date since which no snapshot of the inventory had units available, up to
    the end of the period, in epoch seconds; null where there were some, or none is known.
    """
    acos: float
    """Cost of ads / sales attributed to ads, in percent; 0 without a denominator."""
    tacos: float
    """Cost of ads / totalSales, in percent; 0 without a denominator."""
    directFulfillmentSales: NotRequired[float]
    """Vendor channels only: sales that the vendor shipped itself. No document has them: 0."""
    directFulfillmentUnits: NotRequired[int]
    """Vendor channels only: units of these sales. No document has them: 0."""


class SalesByProductRow(TypedDict):
    current: SoldProduct
    prior: SoldProduct


class UnlistedSales(TypedDict):
    totalSales: float
    """Sales of the store beyond those of its products."""
    unitsSold: int
    """Units of the store beyond those of its products."""


class ViewSalesByProductAnswer(TypedDict):
    rows: list[SalesByProductRow]
    count: int
    """Rows on all pages together."""
    currency: str
    """The channel's currency, ISO 4217."""
    unlisted: ViewSalesByProductAnswerUnlisted
    """Sales of the store that belong to no row."""


class ViewSalesByChannelRequest(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: int
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: int
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""
    currentCurrency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    vendorRevenueType: NotRequired[Literal["orderedRevenue", "shippedRevenue"]]
    """What counts as the sales of vendor channels: what was ordered, or what the vendor supplied
    and was shipped.
    """
    interval: NotRequired[Literal["d", "w", "M", "Q", "y", "day", "week", "month", "quarter", "year"]]
    """Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The
    first and the last bucket are clipped to the period. Without it there are no buckets.
    """
    channelIds: NotRequired[list[str]]
    """Restricts the answer to these channels; those out of reach match nothing. An empty list does
    not restrict.
    """
    filter: NotRequired[ViewSalesByChannelRequestFilter]
    searchText: NotRequired[str]
    """Part of the name of the store, of the name of the marketplace or of the marketplace_id, in
    any letter case.
    """
    sortKey: NotRequired[Literal["sales", "salesSplit", "forecastTarget", "budgetTarget", "orders", "units", "avOrderSize", "avOrderValue", "outOfStockPercentage", "pageViews", "conversions"]]
    """Figure of the period by which the rows are sorted, null last in both directions; equal ones
    by storeId.
    """
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class SalesByChannelBucket(TypedDict):
    startTime: str
    """Start of the bucket: ISO 8601 with the offset in force."""
    sales: float | None
    priorSales: float | None
    orders: str
    """Orders; each counts in the bucket of the first of its lines in the period."""
    priorOrders: str
    """Orders in that bucket of the prior period."""


class SalesByChannelRow(TypedDict):
    store: str
    """Name of the store."""
    storeId: str
    """channelId of the store."""
    marketplace: SalesByChannelRowMarketplace
    currency: str
    """Currency of all amounts of the row, ISO 4217."""
    sales: SalesByChannelRowSales
    orders: SalesByChannelRowOrders
    ordersBasis: SalesByChannelRowOrdersBasis
    avOrderValue: SalesByChannelRowAvOrderValue
    units: SalesByChannelRowUnits
    avOrderSize: SalesByChannelRowAvOrderSize
    pageViews: SalesByChannelRowPageViews
    conversions: SalesByChannelRowConversions
    salesSplit: float | None
    forecastTarget: float | None
    budgetTarget: float | None
    adspendLimit: float | None
    outOfStockPercentage: float | None
    buyBoxSnapshot: SalesByChannelRowBuyBoxSnapshot
    healthStatus: Literal["good", "warning", "critical"]
    """The worst of three marks, each from the figures of the row as they are shown. Sales in
    percent of budgetTarget, or of forecastTarget where there is no budget: warning below 95,
    critical below 80. Buy box percentage: warning below 80, critical below 60.
    outOfStockPercentage: warning from 10, critical from 20. A figure that is null and a target
    of 0 set no mark, so a store without known figures is good.
    """
    buckets: NotRequired[list[SalesByChannelBucket]]
    """Sales over time, if an interval is requested. Each is rounded by itself, so their sum may
    differ from sales by some of the smallest units where amounts are converted.
    """


class ViewSalesByChannelAnswer(TypedDict):
    rows: list[SalesByChannelRow]
    count: int
    """Number of matching channels on all pages."""


class CreateCustomerLifetimeValueReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateCustomerLifetimeValueReportRequestReportOptions


class Report(TypedDict):
    reportId: str
    """Identifier of the report."""
    reportType: Literal["customerLifetimeValue", "trafficAndConversion", "inventoryReplenishment", "cancellationsAndRefunds", "orderedRevenue", "shippedRevenue", "salesByProduct", "campaigns", "marketingByProduct", "channelProfitAndLoss", "repeatPurchase"]
    """Type of the report."""
    status: Literal["started", "inProgress", "done", "errored"]
    """State of the report: started, then inProgress, then done or errored, which are final."""


class CreateTrafficAndConversionReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateTrafficAndConversionReportRequestReportOptions


class CreateInventoryReplenishmentReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """


class CreateCancellationsAndRefundsReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateCancellationsAndRefundsReportRequestReportOptions


class CreateOrderedRevenueReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateOrderedRevenueReportRequestReportOptions


class CreateShippedRevenueReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateShippedRevenueReportRequestReportOptions


class CreateSalesByProductReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateSalesByProductReportRequestReportOptions


class CreateCampaignsReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateCampaignsReportRequestReportOptions


class CreateMarketingByProductReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateMarketingByProductReportRequestReportOptions


class CreateChannelProfitAndLossReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateChannelProfitAndLossReportRequestReportOptions


class CreateRepeatPurchaseReportRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    format: NotRequired[Literal["csv", "parquet"]]
    """Format of the file. Parquet files have the columns of the CSV, with types: dates, whole
    numbers, decimals and text; blank cells are null, and text is never escaped.
    """
    reportOptions: CreateRepeatPurchaseReportRequestReportOptions


class ListedReport(TypedDict):
    reportId: str
    """Identifier of the report."""
    reportType: Literal["customerLifetimeValue", "trafficAndConversion", "inventoryReplenishment", "cancellationsAndRefunds", "orderedRevenue", "shippedRevenue", "salesByProduct", "campaigns", "marketingByProduct", "channelProfitAndLoss", "repeatPurchase"]
    """Type of the report."""
    status: Literal["started", "inProgress", "done", "errored"]
    """State of the report: started, then inProgress, then done or errored, which are final."""
    channelId: str
    """Identifier of the channel."""
    merchantId: str
    """Identifier of its merchant."""
    createdAt: int
    """When it was requested, in epoch seconds."""
    fileName: str
    """Name of its file."""
    error: NotRequired[str]
    """Why the report errored; only with that status."""


class ListReportsAnswer(TypedDict):
    reports: list[ListedReport]
    total: int
    """Number of reports on all pages together."""


class ReadReportStatusAnswer(TypedDict):
    reportId: str
    """Identifier of the report."""
    reportType: Literal["customerLifetimeValue", "trafficAndConversion", "inventoryReplenishment", "cancellationsAndRefunds", "orderedRevenue", "shippedRevenue", "salesByProduct", "campaigns", "marketingByProduct", "channelProfitAndLoss", "repeatPurchase"]
    """Type of the report."""
    status: Literal["started", "inProgress", "done", "errored"]
    """State of the report: started, then inProgress, then done or errored, which are final."""
    downloadUrl: NotRequired[str]
    """The address of the file, once the report is done; GET it without a key. The link is valid
    for an hour, as long as the key is valid and the caller has access to the channel, and every
    request returns a new one. Range requests are supported.
    """
    error: NotRequired[str]
    """Why the report errored; only with that status."""


class ListOrdersRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    fromDate: NotRequired[int]
    """Start of the range, 30 days before its end by default. Unix epoch time in whole seconds."""
    toDate: NotRequired[int]
    """End of the range, inclusive, the time of the request by default. Unix epoch time in whole
    seconds.
    """
    dateField: NotRequired[Literal["createdAt", "updatedAt"]]
    """The date that the range is of and that orders are sorted by: createdAt is PurchaseDate,
    updatedAt is LastUpdateDate.
    """
    orderId: NotRequired[str]
    """Number of the one order that is wanted."""
    key: NotRequired[str]
    """meta.key of the page before."""
    pageSize: NotRequired[int]
    """Orders of a page."""


class Order(TypedDict):
    SellerId: str
    """The seller; "" where it is not known."""
    MarketplaceId: str
    """The marketplace that the order was placed on; "" where it is not known."""
    PlatformOrderId: str
    """The marketplace's number of the order."""
    BuyerInfo: OrderBuyerInfo
    FulfillmentChannel: str
    """Who ships it: AFN the marketplace, MFN the seller; "" where it is not known."""
    SalesChannel: str
    """Where it was sold; "" where it is not known."""
    OrderStatus: str
    """Pending, PendingAvailability, Unshipped, PartiallyShipped, Shipped, InvoiceUnconfirmed,
    Canceled or Unfulfillable.
    """
    OrderType: str
    """Type of the order; "" where it is not known."""
    ShipServiceLevel: str
    """Service level of the shipment; "" where it is not known."""
    ShipmentServiceLevelCategory: str
    """Category of that service level; "" where it is not known."""
    PaymentMethod: str
    """How it was paid; "" where it is not known."""
    PaymentMethodDetails: str
    """More about how it was paid; "" where it is not known."""
    EarliestDeliveryDate: str
    """Start of the time in which it is to be delivered, ISO 8601 in UTC such as
    2024-01-15T09:30:00Z; "" where it is not known.
    """
    EarliestShipDate: str
    """Start of the time in which it is to be shipped, ISO 8601 in UTC such as
    2024-01-15T09:30:00Z; "" where it is not known.
    """
    LatestShipDate: str
    """End of the time in which it is to be shipped, ISO 8601 in UTC such as 2024-01-15T09:30:00Z;
    "" where it is not known.
    """
    LatestDeliveryDate: str
    """End of the time in which it is to be delivered, ISO 8601 in UTC such as
    2024-01-15T09:30:00Z; "" where it is not known.
    """
    PurchaseDate: str
    """When it was placed, ISO 8601 in UTC such as 2024-01-15T09:30:00Z."""
    LastUpdateDate: str
    """When it was updated last, ISO 8601 in UTC such as 2024-01-15T09:30:00Z; "" where it is not
    known.
    """
    AutomatedShippingSettings: OrderAutomatedShippingSettings
    NumberOfItemsShipped: int
    """Units that are shipped; 0 where it is not known."""
    NumberOfItemsUnshipped: int
    """Units that are not shipped; 0 where it is not known."""
    IsPremiumOrder: bool
    """Whether it has premium shipping; false where it is not known."""
    IsPrime: bool
    """Whether it is of the marketplace's members' programme; false where it is not known."""
    HasRegulatedItems: bool
    """Whether it has items that need an approval; false where it is not known."""
    IsReplacementOrder: bool
    """Whether it replaces another order; false where it is not known."""
    IsSoldByAB: bool
    """Whether the marketplace sold it on for the seller; false where it is not known."""
    IsISPU: bool
    """Whether it is picked up in a store; false where it is not known."""
    IsAccessPointOrder: bool
    """Whether it is delivered to an access point; false where it is not known."""
    IsBusinessOrder: bool
    """Whether the buyer is a business; false where it is not known."""
    IsGlobalExpressEnabled: bool
    """Whether it is shipped by global express; false where it is not known."""
    DefaultShipFromLocationAddress: OrderDefaultShipFromLocationAddress
    """Where it is shipped from."""
    ShippingAddress: OrderShippingAddress
    """Where it is shipped to."""
    OrderTotal: OrderOrderTotal


class ListOrdersAnswer(TypedDict):
    meta: ListOrdersAnswerMeta
    data: list[Order]


class DirectCost(TypedDict):
    sellerSku: str
    """The seller's SKU, as the channel's facts spell it. An unknown one is kept."""
    cogs: float
    """Cost of the goods of one unit, in cogsCurrency, with at most six decimal places."""
    cogsCurrency: str
    """ISO 4217 code of three letters, in any letter case."""
    shippingCost: NotRequired[float]
    """Cost of shipping one unit that the seller ships, in shippingCostCurrency, with at most six
    decimal places. 0 when it is not given.
    """
    shippingCostCurrency: NotRequired[str]
    """ISO 4217 code of three letters, in any letter case. When it is not given, that of
    cogsCurrency.
    """


class SaveDirectCostsRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    fromDate: int
    """The costs hold from the UTC date of this instant on. Unix epoch time in whole seconds."""
    directCosts: list[DirectCost]
    """A row for each SKU."""


class SaveDirectCostsAnswer(TypedDict):
    jobId: str
    """Identifier of the job."""


class ReadDirectCostsJobStatusAnswer(TypedDict):
    jobStatus: Literal["IN_PROGRESS", "COMPLETED", "FAILED"]
    """How far the job is; COMPLETED and FAILED are final."""


class ReadProductProfitAndLossRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    reportOptions: ReadProductProfitAndLossRequestReportOptions


class ProductProfitAndLoss(TypedDict):
    sellerSku: str
    """The seller's SKU."""
    productSku: str
    """The product id of the platform, "" when it is not known."""
    title: str
    """The title, "" when it is not known."""
    totalProfit: float
    """totalRevenue - totalExpenses."""
    totalRevenue: float
    """sales + refunds + promotions + reimbursements + otherIncome."""
    totalExpenses: float
    """advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs +
    otherExpenses.
    """
    sales: float
    """Price of the items sold, with tax by includeTax."""
    refunds: float
    """What was refunded, with tax by includeTax; negative as a rule."""
    promotions: float
    """Promotions and coupons that the seller paid for; negative as a rule."""
    reimbursements: float
    """What the marketplace made good, such as lost and damaged stock."""
    otherIncome: float
    """Shipping and gift wrap that buyers paid for, liquidations, other credits."""
    advertisingSpend: float
    """What advertising cost. Positive where it is a cost, negative where more came back."""
    sellingFees: float
    """Referral, closing, digital service and subscription fees. Positive where it is a cost,
    negative where more came back.
    """
    shippingFees: float
    """Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped.
    Positive where it is a cost, negative where more came back.
    """
    refundsAndReturnsOverheads: float
    """What refunds and returns cost besides the refund itself. Positive where it is a cost,
    negative where more came back.
    """
    cogs: float
    """What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit
    returned. Positive where it is a cost, negative where more came back.
    """
    otherExpenses: float
    """Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost,
    negative where more came back.
    """


class ReadProductProfitAndLossAnswer(TypedDict):
    productEvents: list[ProductProfitAndLoss]
    count: int
    """Rows on all pages together."""


class ReadStoreProfitAndLossRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    reportOptions: ReadStoreProfitAndLossRequestReportOptions


class StoreProfitAndLoss(TypedDict):
    totalRevenue: float
    """sales + refunds + promotions + reimbursements + otherIncome."""
    totalExpenses: float
    """advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs +
    otherExpenses.
    """
    sales: float
    """Price of the items sold, with tax by includeTax."""
    refunds: float
    """What was refunded, with tax by includeTax; negative as a rule."""
    promotions: float
    """Promotions and coupons that the seller paid for; negative as a rule."""
    reimbursements: float
    """What the marketplace made good, such as lost and damaged stock."""
    otherIncome: float
    """Shipping and gift wrap that buyers paid for, liquidations, other credits."""
    advertisingSpend: float
    """What advertising cost. Positive where it is a cost, negative where more came back."""
    sellingFees: float
    """Referral, closing, digital service and subscription fees. Positive where it is a cost,
    negative where more came back.
    """
    shippingFees: float
    """Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped.
    Positive where it is a cost, negative where more came back.
    """
    refundsAndReturnsOverheads: float
    """What refunds and returns cost besides the refund itself. Positive where it is a cost,
    negative where more came back.
    """
    cogs: float
    """What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit
    returned. Positive where it is a cost, negative where more came back.
    """
    otherExpenses: float
    """Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost,
    negative where more came back.
    """


class ListUnknownCodesAnswer(TypedDict):
    codes: list[UnknownCode]


class SaveCodeRequest(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    source: Literal["settlement", "transactions", "financialEvents", "economics", "reimbursements", "returns"]
    """The source of the amounts: the kind of financial document."""
    code: str
    """The code, as the list of codes has it."""
    line: NotRequired[Literal["sales", "promotions", "refunds", "reimbursements", "otherIncome", "advertisingSpend", "sellingFees", "shippingFees", "refundsAndReturnsOverheads", "cogs", "otherExpenses", "balance", "sales.tax", "refunds.tax"]]
    """The line of the profit and loss; balance for amounts that only move money; sales.tax or
    refunds.tax for tax.
    """


class SaveCodeAnswer(TypedDict):
    source: Literal["settlement", "transactions", "financialEvents", "economics", "reimbursements", "returns"]
    """The source of the amounts: the kind of financial document."""
    code: str
    """The code."""
    line: Literal["sales", "promotions", "refunds", "reimbursements", "otherIncome", "advertisingSpend", "sellingFees", "shippingFees", "refundsAndReturnsOverheads", "cogs", "otherExpenses", "balance", "sales.tax", "refunds.tax"] | None
    """Its line; null if it goes by its sign."""


class AdGroup(TypedDict):
    channel_id: str
    """The channel."""
    campaign_id: str
    """The campaign."""
    ad_group_id: str
    """The ad group."""
    ad_type: str
    """SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP,
    GOOGLE or META.
    """
    campaign_name: str
    """Its campaign's name."""
    ad_group_name: str
    """Its own name."""
    ad_group_status: str
    """active, paused or archived; "" when it is not known."""
    cost_type: str
    """cpc per click or vcpm per thousand views."""
    default_bid: float
    """The bid where none is set, converted at the rate of the last day of the range."""
    impressions: int
    """Times the ads were shown."""
    clicks: int
    """Clicks on the ads."""
    cost: float
    """Spend."""
    attributed_sales: float
    """Sales attributed to the ads."""
    attributed_sales_same_sku: float
    """Attributed sales of the advertised product itself."""
    attributed_conversions: int
    """Orders attributed to the ads."""
    attributed_conversions_same_sku: int
    """Attributed orders of the advertised product itself."""
    attributed_units_ordered: int
    """Units attributed to the ads."""
    attributed_units_ordered_same_sku: int
    """Attributed units of the advertised product itself."""
    attributed_orders_ntb: int
    """Attributed orders of customers new to the brand; Sponsored Products have none."""
    attributed_units_ordered_ntb: int
    """Attributed units of customers new to the brand."""
    attributed_sales_ntb: float
    """Attributed sales to customers new to the brand."""
    attributed_orders_ntb_percentage: float
    """attributed_orders_ntb / attributed_conversions, in percent."""
    attributed_units_ordered_ntb_percentage: float
    """attributed_units_ordered_ntb / attributed_units_ordered, in percent."""
    attributed_sales_ntb_percentage: float
    """attributed_sales_ntb / attributed_sales, in percent."""
    attributed_detail_page_views_clicks: int
    """Views of product pages after a click."""
    acos: float
    """cost / attributed_sales, in percent."""
    click_through_rate: float
    """clicks / impressions, in percent."""
    cost_per_click: float
    """cost / clicks."""
    conversion_rate: float
    """attributed_conversions / clicks, in percent."""
    roas: float
    """attributed_sales / cost."""


class Pagination(TypedDict):
    pageIndex: int
    """Number of this page, counted from 0."""
    pageSize: int
    """Rows per page."""
    count: int
    """Number of matching rows on all pages."""


class ListAdGroupsAnswer(TypedDict):
    data: list[AdGroup]
    pagination: Pagination
    meta: ListAdGroupsAnswerMeta


class Campaign(TypedDict):
    channel_id: str
    """The channel."""
    campaign_id: str
    """The campaign."""
    ad_type: str
    """SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP,
    GOOGLE or META.
    """
    campaign_name: str
    """Its name."""
    campaign_status: str
    """active, paused or archived; "" when it is not known."""
    budget_type: str
    """daily or lifetime."""
    start_date: str
    """First date, YYYY-MM-DD."""
    end_date: str
    """Last date, YYYY-MM-DD; "" when it is open-ended."""
    targeting_type: str
    """auto, manual or ""."""
    bidding_strategy: str
    """legacyForSales, autoForSales, manual, ruleBased or ""."""
    cost_type: str
    """cpc per click or vcpm per thousand views."""
    budget: float
    """The budget, converted at the rate of the last day of the range."""
    impressions: int
    """Times the ads were shown."""
    clicks: int
    """Clicks on the ads."""
    cost: float
    """Spend."""
    attributed_sales: float
    """Sales attributed to the ads."""
    attributed_sales_same_sku: float
    """Attributed sales of the advertised product itself."""
    attributed_conversions: int
    """Orders attributed to the ads."""
    attributed_conversions_same_sku: int
    """Attributed orders of the advertised product itself."""
    attributed_units_ordered: int
    """Units attributed to the ads."""
    attributed_units_ordered_same_sku: int
    """Attributed units of the advertised product itself."""
    attributed_orders_ntb: int
    """Attributed orders of customers new to the brand; Sponsored Products have none."""
    attributed_units_ordered_ntb: int
    """Attributed units of customers new to the brand."""
    attributed_sales_ntb: float
    """Attributed sales to customers new to the brand."""
    attributed_orders_ntb_percentage: float
    """attributed_orders_ntb / attributed_conversions, in percent."""
    attributed_units_ordered_ntb_percentage: float
    """attributed_units_ordered_ntb / attributed_units_ordered, in percent."""
    attributed_sales_ntb_percentage: float
    """attributed_sales_ntb / attributed_sales, in percent."""
    attributed_detail_page_views_clicks: int
    """Views of product pages after a click."""
    acos: float
    """cost / attributed_sales, in percent."""
    click_through_rate: float
    """clicks / impressions, in percent."""
    cost_per_click: float
    """cost / clicks."""
    cost_per_acquisition: float
    """cost / attributed_conversions."""
    conversion_rate: float
    """attributed_conversions / clicks, in percent."""
    roas: float
    """attributed_sales / cost."""


class ListCampaignsAnswer(TypedDict):
    data: list[Campaign]
    pagination: Pagination
    meta: ListCampaignsAnswerMeta


class Keyword(TypedDict):
    channel_id: str
    """The channel."""
    campaign_id: str
    """The campaign."""
    ad_group_id: str
    """The ad group."""
    keyword_id: str
    """The keyword, or the target."""
    ad_type: str
    """SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP,
    GOOGLE or META.
    """
    campaign_name: str
    """Its campaign's name."""
    ad_group_name: str
    """Its ad group's name."""
    keyword_text: str
    """The text of the keyword, or the expression of the target."""
    match_type: str
    """broad, phrase, exact or theme; targetingExpression for products and categories, and
    targetingExpressionPredefined for what an automatic campaign targets; "" when it is not
    known.
    """
    keyword_status: str
    """active, paused or archived; "" when it is not known."""
    bid: float
    """The bid, converted at the rate of the last day of the range."""
    cost_type: str
    """cpc per click or vcpm per thousand views."""
    impressions: int
    """Times the ads were shown."""
    clicks: int
    """Clicks on the ads."""
    cost: float
    """Spend."""
    attributed_sales: float
    """Sales attributed to the ads."""
    attributed_sales_same_sku: float
    """Attributed sales of the advertised product itself."""
    attributed_conversions: int
    """Orders attributed to the ads."""
    attributed_conversions_same_sku: int
    """Attributed orders of the advertised product itself."""
    attributed_units_ordered: int
    """Units attributed to the ads."""
    attributed_units_ordered_same_sku: int
    """Attributed units of the advertised product itself."""
    attributed_orders_ntb: int
    """Attributed orders of customers new to the brand; Sponsored Products have none."""
    attributed_units_ordered_ntb: int
    """Attributed units of customers new to the brand."""
    attributed_sales_ntb: float
    """Attributed sales to customers new to the brand."""
    attributed_orders_ntb_percentage: float
    """attributed_orders_ntb / attributed_conversions, in percent."""
    attributed_units_ordered_ntb_percentage: float
    """attributed_units_ordered_ntb / attributed_units_ordered, in percent."""
    attributed_sales_ntb_percentage: float
    """attributed_sales_ntb / attributed_sales, in percent."""
    attributed_detail_page_views_clicks: int
    """Views of product pages after a click."""
    acos: float
    """cost / attributed_sales, in percent."""
    click_through_rate: float
    """clicks / impressions, in percent."""
    cost_per_click: float
    """cost / clicks."""
    cost_per_acquisition: float
    """cost / attributed_conversions."""
    conversion_rate: float
    """attributed_conversions / clicks, in percent."""
    roas: float
    """attributed_sales / cost."""


class ListKeywordsAnswer(TypedDict):
    data: list[Keyword]
    pagination: Pagination
    meta: ListKeywordsAnswerMeta


class AdvertisedProduct(TypedDict):
    channel_id: str
    """The channel."""
    product_sku: str
    """The platform's product id; the seller's SKU where the figures have no product id."""
    product_title: str
    """Its title, "" when it is not known."""
    image_url: str
    """Address of its picture, "" when it is not known."""
    link_url: str
    """Address of its page, "" when it is not known."""
    impressions: int
    """Times the ads were shown."""
    clicks: int
    """Clicks on the ads."""
    cost: float
    """Spend."""
    attributed_sales: float
    """Sales attributed to the ads."""
    attributed_sales_same_sku: float
    """Attributed sales of the advertised product itself."""
    attributed_conversions: int
    """Orders attributed to the ads."""
    attributed_conversions_same_sku: int
    """Attributed orders of the advertised product itself."""
    attributed_units_ordered: int
    """Units attributed to the ads."""
    attributed_units_ordered_same_sku: int
    """Attributed units of the advertised product itself."""
    acos: float
    """cost / attributed_sales, in percent."""
    click_through_rate: float
    """clicks / impressions, in percent."""
    cost_per_click: float
    """cost / clicks."""
    conversion_rate: float
    """attributed_conversions / clicks, in percent."""
    roas: float
    """attributed_sales / cost."""


class ListProductsAnswer(TypedDict):
    data: list[AdvertisedProduct]
    pagination: Pagination
    meta: ListProductsAnswerMeta


class TargetBucket(TypedDict):
    startTime: str
    """Start of the bucket: ISO 8601 with the offset in force."""
    endTime: str
    """Last second of the bucket."""
    startTimeEpoch: int
    """Start of the bucket, epoch seconds."""
    endTimeEpoch: int
    """Last second of the bucket, epoch seconds."""
    salesBudget: float | None
    salesForecast: float | None
    adSpendBudget: float | None


class TargetTotals(TypedDict):
    salesBudget: float | None
    salesForecast: float | None
    adSpendBudget: float | None


class ReadTargetsAnswer(TypedDict):
    data: list[TargetBucket]
    totals: TargetTotals
    meta: ReadTargetsAnswerMeta


class SqpMetrics(TypedDict):
    searchQueryVolume: int
    """How often the queries were searched for."""
    totalImpressions: int
    """Times that any product was shown for the queries."""
    impressions: int
    """Times that this product was shown."""
    impressionShare: float
    """impressions / totalImpressions, in percent; 0 without a denominator."""
    totalClicks: int
    """Clicks on any product."""
    clicks: int
    """Clicks on this product."""
    clickShare: float
    """clicks / totalClicks, in percent; 0 without a denominator."""
    totalCtr: float
    """totalClicks / totalImpressions, in percent; 0 without a denominator."""
    ctr: float
    """clicks / impressions, in percent; 0 without a denominator."""
    totalCartAdds: int
    """Times that any product was put into a cart."""
    cartAdds: int
    """Times that this product was put into a cart."""
    atcRate: float
    """cartAdds / clicks, in percent; 0 without a denominator."""
    totalPurchases: int
    """Purchases of any product."""
    purchases: int
    """Purchases of this product."""
    purchaseShare: float
    """purchases / totalPurchases, in percent; 0 without a denominator."""
    totalCvr: float
    """totalPurchases / totalClicks, in percent; 0 without a denominator."""
    cvr: float
    """purchases / clicks, in percent; 0 without a denominator."""
    currentRevenue: float
    """purchases of each query and month x the product's median purchase price; where that is not
    known the market's, else the product's median click price.
    """
    totalOpportunity: float
    """totalPurchases of each query and month x the market's median purchase price."""
    opportunity: float
    """totalOpportunity - currentRevenue, at least 0."""
    currencyCode: str
    """Currency of the amounts: that of meta."""


class SqpRow(TypedDict):
    asin: str
    """The product."""
    current: SqpMetrics
    prior: SqpMetrics


class ListSearchQueryPerformanceAnswer(TypedDict):
    data: list[SqpRow]
    pagination: Pagination
    meta: ListSearchQueryPerformanceAnswerMeta


class CreateWebhookRequest(TypedDict):
    url: str
    """Where events are sent to: an https address that the internet can reach."""
    events: list[Literal["report.finished", "report.failed", "import.finished", "import.refused", "data.overdue", "target.at_risk", "schedule.finished", "schedule.failed", "webhook.disabled"]]
    """The events that the webhook hears of. `report.finished`: A CSV report is done; its file can
    be downloaded. `report.failed`: A CSV report failed for good. `import.finished`: A document
    or rows were imported. `import.refused`: An import was refused or failed; no fact has
    changed. `data.overdue`: A daily dataset of a channel misses two days or more.
    `target.at_risk`: Sales of the month are below 95 % of their budget so far.
    `schedule.finished`: A run of a schedule is done; its file can be downloaded.
    `schedule.failed`: A run of a schedule failed for good. `webhook.disabled`: A webhook of the
    organisation was disabled after failing for long.
    """
    description: NotRequired[str]
    """What the webhook is for; shown beside it."""


class CreateWebhookAnswer(TypedDict):
    webhookId: str
    secret: str
    """The secret that deliveries are signed with. No other answer contains it."""


class Webhook(TypedDict):
    webhookId: str
    """Identifier of the webhook."""
    url: str
    """Where events are sent to."""
    description: str
    """What the webhook is for."""
    events: list[str]
    """The events that it hears of."""
    state: Literal["enabled", "paused", "disabled"]
    """enabled, paused by a user, or disabled by the service because deliveries failed for long."""
    reason: str | None
    """Why it is disabled."""
    failingSince: int | None
    createdBy: str
    """E-mail address of its user: it hears only of channels that this user reaches."""
    createdAt: int
    """When it was created. Unix epoch time in whole seconds."""
    updatedAt: int
    """When it was last changed. Unix epoch time in whole seconds."""
    previousSecretUntil: int | None


class ListWebhooksAnswer(TypedDict):
    webhooks: list[Webhook]
    total: int
    """Number of webhooks on all pages together."""


class ChangeWebhookRequest(TypedDict):
    url: NotRequired[str]
    """Where events are sent to: an https address that the internet can reach."""
    events: NotRequired[list[Literal["report.finished", "report.failed", "import.finished", "import.refused", "data.overdue", "target.at_risk", "schedule.finished", "schedule.failed", "webhook.disabled"]]]
    """The events that the webhook hears of. `report.finished`: A CSV report is done; its file can
    be downloaded. `report.failed`: A CSV report failed for good. `import.finished`: A document
    or rows were imported. `import.refused`: An import was refused or failed; no fact has
    changed. `data.overdue`: A daily dataset of a channel misses two days or more.
    `target.at_risk`: Sales of the month are below 95 % of their budget so far.
    `schedule.finished`: A run of a schedule is done; its file can be downloaded.
    `schedule.failed`: A run of a schedule failed for good. `webhook.disabled`: A webhook of the
    organisation was disabled after failing for long.
    """
    description: NotRequired[str]
    """What the webhook is for; shown beside it."""
    state: NotRequired[Literal["enabled", "paused"]]
    """paused stops it; enabled starts it again, also after it was disabled."""


class WebhookDelivery(TypedDict):
    deliveryId: str
    """Identifier of the delivery."""
    messageId: str
    """The header webhook-id: the same for all attempts and replays of an event."""
    event: str
    """The event."""
    channelId: str
    """The channel that it is about."""
    body: str
    """The JSON that is sent."""
    state: Literal["waiting", "delivered", "failed", "dropped"]
    """waiting, delivered, failed for good, or dropped because the webhook may not hear of it any
    more.
    """
    attempts: int
    """Attempts so far."""
    nextAt: int | None
    status: int | None
    """The status of the last answer."""
    error: str | None
    """Why the last attempt failed."""
    createdAt: int
    """When the event happened or was replayed. Unix epoch time in whole seconds."""
    finishedAt: int | None


class ListWebhookDeliveriesAnswer(TypedDict):
    deliveries: list[WebhookDelivery]
    total: int
    """Number of deliveries on all pages together."""


class ReplayWebhookDeliveryAnswer(TypedDict):
    deliveryId: str
    """Identifier of the delivery."""


class RotateWebhookSecretRequest(TypedDict):
    graceSeconds: NotRequired[int]
    """How long the previous secret signs too; 0 ends it at once."""


class RotateWebhookSecretAnswer(TypedDict):
    secret: str
    """The secret that deliveries are signed with. No other answer contains it."""
    previousSecretUntil: int
    """Until when deliveries are signed with the previous secret too. Unix epoch time in whole
    seconds.
    """


class TestWebhookAnswer(TypedDict):
    deliveryId: str
    """Identifier of the delivery."""


class CreateScheduleRequest(TypedDict):
    name: str
    """What the schedule is for."""
    cron: str
    """When it is due, as five fields: minute, hour, day of the month, month, day of the week. A
    local time that a change of clocks skips is due at the end of the gap; one that comes twice
    is due the first time. The times are at least an hour apart.
    """
    timezone: str
    """IANA time zone of the times and of the days of the period."""
    operation: str
    """The operation to run, by its name in the description of the interface: one that creates a
    report, or one whose answer is rows.
    """
    parameters: CreateScheduleRequestParameters
    """Its parameters, without those that the period sets."""
    period: NotRequired[Literal["yesterday", "last7Days", "last30Days", "last90Days", "lastWeek", "lastMonth", "monthToDate", "yearToDate"]]
    """Sets the parameters fromDate, toDate, priorFromDate, priorToDate and timezone that the
    operation takes, for each run anew. `yesterday`: the day before. `last7Days`: the seven days
    before. `last30Days`: the thirty days before. `last90Days`: the ninety days before.
    `lastWeek`: the calendar week before, from Monday. `lastMonth`: the calendar month before.
    `monthToDate`: the month of the day before, up to that day. `yearToDate`: the year of the
    day before, up to that day.
    """
    emails: NotRequired[list[str]]
    """The file is sent to these addresses too, if the operator has set up e-mail. Those of
    strangers are asked to confirm at first. E-mails of a day are limited.
    """


class Schedule(TypedDict):
    scheduleId: str
    """Identifier of the schedule."""
    name: str
    """What it is for."""
    cron: str
    """When it is due."""
    timezone: str
    """The time zone of its times and days."""
    operation: str
    """The operation that it runs."""
    parameters: ScheduleParameters
    """Its parameters."""
    period: str | None
    """The period of each run."""
    emails: list[str]
    """Where its files are sent to."""
    recipients: list[ScheduleRecipientsItem]
    """The same addresses, and whether files go there."""
    state: Literal["enabled", "paused", "disabled"]
    """enabled, paused by a user, or disabled by the service, which says why."""
    reason: str | None
    """Why it is disabled."""
    nextRuns: list[int]
    """The next 5 times; none while it is not enabled."""
    createdBy: str
    """E-mail address of its user: it reads what this user may read."""
    createdAt: int
    """When it was created. Unix epoch time in whole seconds."""
    updatedAt: int
    """When it was last changed. Unix epoch time in whole seconds."""


class ListSchedulesAnswer(TypedDict):
    schedules: list[Schedule]
    total: int
    """Number of schedules on all pages together."""


class ChangeScheduleRequest(TypedDict):
    name: NotRequired[str]
    """What the schedule is for."""
    cron: NotRequired[str]
    """When it is due, as five fields: minute, hour, day of the month, month, day of the week. A
    local time that a change of clocks skips is due at the end of the gap; one that comes twice
    is due the first time. The times are at least an hour apart.
    """
    timezone: NotRequired[str]
    """IANA time zone of the times and of the days of the period."""
    parameters: NotRequired[ChangeScheduleRequestParameters]
    """Its parameters, without those that the period sets."""
    period: NotRequired[Literal["yesterday", "last7Days", "last30Days", "last90Days", "lastWeek", "lastMonth", "monthToDate", "yearToDate"] | None]
    """The period of each run; null for none."""
    emails: NotRequired[list[str]]
    """The file is sent to these addresses too, if the operator has set up e-mail. Those of
    strangers are asked to confirm at first. E-mails of a day are limited.
    """
    state: NotRequired[Literal["enabled", "paused"]]
    """paused stops it; enabled starts it again, also after it was disabled."""


class RunScheduleAnswer(TypedDict):
    runId: str
    """Identifier of the run."""


class ScheduleRun(TypedDict):
    runId: str
    """Identifier of the run."""
    dueAt: int
    """When it was due. Unix epoch time in whole seconds."""
    state: Literal["waiting", "running", "done", "failed"]
    """waiting, running, done, or failed for good."""
    downloadUrl: str | None
    """The address of its file for an hour; GET it without a key."""
    error: str | None
    """Why it failed."""
    mailedAt: int | None
    mailError: str | None
    """Why its file was not sent by e-mail."""
    finishedAt: int | None


class ListScheduleRunsAnswer(TypedDict):
    runs: list[ScheduleRun]
    total: int
    """Number of runs on all pages together."""


class ListTagsInput(TypedDict):
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Channels per page."""


class ReadChannelTagsInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""


class ReadLineageInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    dataset: Literal["orders", "orderLines", "traffic", "campaignDays", "adGroupDays", "keywordDays", "adProductDays", "vendorSales", "vendorMargins", "targets", "searchQueries", "financeEvents", "inventory"]
    """The dataset."""
    date: str
    """The date, in the channel's time zone."""
    currency: NotRequired[str]
    """Currency of which the exchange rates are answered."""


class ListCustomGroupsInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class ReadCustomGroupInput(TypedDict):
    id: int | str
    """Identifier of the group: an integer, or its digits."""
    channelId: NotRequired[str]
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: NotRequired[str]
    """Identifier of the merchant that owns the channel."""


class ChangeCustomGroupInput(TypedDict):
    id: int | str
    """Identifier of the group: an integer, or its digits."""
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    groupName: NotRequired[str]
    """Name of the group."""
    addProducts: NotRequired[list[GroupProduct]]
    """Products to be added, after those that are there."""
    removeProducts: NotRequired[list[GroupProduct]]
    """Products to be removed."""
    addBrands: NotRequired[list[str]]
    """Brands to be added, after those that are there."""
    removeBrands: NotRequired[list[str]]
    """Brands to be removed."""


class DeleteCustomGroupInput(TypedDict):
    id: int | str
    """Identifier of the group: an integer, or its digits."""
    channelId: NotRequired[str]
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: NotRequired[str]
    """Identifier of the merchant that owns the channel."""


class ListReportsInput(TypedDict):
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class ReadReportStatusInput(TypedDict):
    reportId: str
    """Identifier of the report, as its creation answered it."""
    channelId: NotRequired[str]
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: NotRequired[str]
    """Identifier of the merchant that owns the channel."""


class ReadDirectCostsJobStatusInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    jobId: str
    """Identifier of the job, as POST /profitability/directCosts answered it."""


class ListUnknownCodesInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""


class ListAdGroupsInput(TypedDict):
    channelId: list[str]
    """Channels with advertising, as POST /channels lists them: 1 to 5."""
    fromDate: NotRequired[int]
    """Start of the range, 30 days before now when not given. Unix epoch time in whole seconds."""
    toDate: NotRequired[int]
    """End of the range, inclusive, now when not given; at most 6 calendar months after its start.
    Unix epoch time in whole seconds.
    """
    currency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""
    sortKey: NotRequired[Literal["channel_id", "campaign_id", "ad_group_id", "ad_type", "campaign_name", "ad_group_name", "ad_group_status", "cost_type", "default_bid", "impressions", "clicks", "cost", "attributed_sales", "attributed_sales_same_sku", "attributed_conversions", "attributed_conversions_same_sku", "attributed_units_ordered", "attributed_units_ordered_same_sku", "attributed_orders_ntb", "attributed_units_ordered_ntb", "attributed_sales_ntb", "attributed_orders_ntb_percentage", "attributed_units_ordered_ntb_percentage", "attributed_sales_ntb_percentage", "attributed_detail_page_views_clicks", "acos", "click_through_rate", "cost_per_click", "conversion_rate", "roas"]]
    """Column that the rows are sorted by."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""
    campaignId: NotRequired[list[str]]
    """Restricts the rows to these campaigns, at most 10."""
    status: NotRequired[list[Literal["active", "paused", "archived"]]]
    """Restricts the rows to these statuses."""


class ListCampaignsInput(TypedDict):
    channelId: list[str]
    """Channels with advertising, as POST /channels lists them: 1 to 5."""
    fromDate: NotRequired[int]
    """Start of the range, 30 days before now when not given. Unix epoch time in whole seconds."""
    toDate: NotRequired[int]
    """End of the range, inclusive, now when not given; at most 6 calendar months after its start.
    Unix epoch time in whole seconds.
    """
    currency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""
    sortKey: NotRequired[Literal["channel_id", "campaign_id", "ad_type", "campaign_name", "campaign_status", "budget_type", "start_date", "end_date", "targeting_type", "bidding_strategy", "cost_type", "budget", "impressions", "clicks", "cost", "attributed_sales", "attributed_sales_same_sku", "attributed_conversions", "attributed_conversions_same_sku", "attributed_units_ordered", "attributed_units_ordered_same_sku", "attributed_orders_ntb", "attributed_units_ordered_ntb", "attributed_sales_ntb", "attributed_orders_ntb_percentage", "attributed_units_ordered_ntb_percentage", "attributed_sales_ntb_percentage", "attributed_detail_page_views_clicks", "acos", "click_through_rate", "cost_per_click", "cost_per_acquisition", "conversion_rate", "roas"]]
    """Column that the rows are sorted by."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""
    status: NotRequired[list[Literal["active", "paused", "archived"]]]
    """Restricts the rows to these statuses."""
    customCampaignGroupId: NotRequired[list[str]]
    """Restricts the rows to the campaigns of these groups, at most 10; each must have a campaign
    of the channels.
    """


class ListKeywordsInput(TypedDict):
    channelId: list[str]
    """Channels with advertising, as POST /channels lists them: 1 to 5."""
    fromDate: NotRequired[int]
    """Start of the range, 30 days before now when not given. Unix epoch time in whole seconds."""
    toDate: NotRequired[int]
    """End of the range, inclusive, now when not given; at most 6 calendar months after its start.
    Unix epoch time in whole seconds.
    """
    currency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""
    sortKey: NotRequired[Literal["channel_id", "campaign_id", "ad_group_id", "keyword_id", "ad_type", "campaign_name", "ad_group_name", "keyword_text", "match_type", "keyword_status", "bid", "cost_type", "impressions", "clicks", "cost", "attributed_sales", "attributed_sales_same_sku", "attributed_conversions", "attributed_conversions_same_sku", "attributed_units_ordered", "attributed_units_ordered_same_sku", "attributed_orders_ntb", "attributed_units_ordered_ntb", "attributed_sales_ntb", "attributed_orders_ntb_percentage", "attributed_units_ordered_ntb_percentage", "attributed_sales_ntb_percentage", "attributed_detail_page_views_clicks", "acos", "click_through_rate", "cost_per_click", "cost_per_acquisition", "conversion_rate", "roas"]]
    """Column that the rows are sorted by."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""
    campaignId: NotRequired[list[str]]
    """Restricts the rows to these campaigns, at most 10."""
    adGroupId: NotRequired[list[str]]
    """Restricts the rows to these ad groups, at most 10."""
    status: NotRequired[list[Literal["active", "paused", "archived"]]]
    """Restricts the rows to these statuses."""


class ListProductsInput(TypedDict):
    channelId: list[str]
    """Channels with advertising, as POST /channels lists them: 1 to 5."""
    fromDate: NotRequired[int]
    """Start of the range, 30 days before now when not given. Unix epoch time in whole seconds."""
    toDate: NotRequired[int]
    """End of the range, inclusive, now when not given; at most 6 calendar months after its start.
    Unix epoch time in whole seconds.
    """
    currency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""
    sortKey: NotRequired[Literal["channel_id", "product_sku", "impressions", "clicks", "cost", "attributed_sales", "attributed_sales_same_sku", "attributed_conversions", "attributed_conversions_same_sku", "attributed_units_ordered", "attributed_units_ordered_same_sku", "acos", "click_through_rate", "cost_per_click", "conversion_rate", "roas"]]
    """Column that the rows are sorted by."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""
    productSku: NotRequired[list[str]]
    """Restricts the rows to these values of product_sku, at most 10."""


class ReadTargetsInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""
    interval: NotRequired[Literal["day", "week", "month", "d", "w", "M"]]
    """Length of a bucket: day, week from Monday or month, or d, w, M. The first and the last
    bucket are clipped to the range.
    """


class ListSearchQueryPerformanceInput(TypedDict):
    channelId: str
    """Identifier of the channel, as POST /channels lists it."""
    merchantId: str
    """Identifier of the merchant that owns the channel."""
    fromDate: int
    """Start of the period; its month counts whole. Unix epoch time in whole seconds."""
    toDate: int
    """End of the period; its month counts whole. Unix epoch time in whole seconds."""
    priorFromDate: int
    """Start of the comparison period; its month counts whole. Unix epoch time in whole seconds."""
    priorToDate: int
    """End of the comparison period; its month counts whole. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone in which the months of the dates are found, such as Europe/London."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows of a page."""
    sortKey: NotRequired[Literal["asin", "searchQueryVolume", "totalImpressions", "impressions", "impressionShare", "totalClicks", "clicks", "clickShare", "totalCtr", "ctr", "totalCartAdds", "cartAdds", "atcRate", "totalPurchases", "purchases", "purchaseShare", "totalCvr", "cvr", "currentRevenue", "opportunity"]]
    """Column that the rows are sorted by."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Whether the rows rise or fall."""
    asins: NotRequired[list[str]]
    """Restricts the rows to these products, at most as many different ones as the organisation's
    entitlement allows.
    """
    currency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case."""


class ListWebhooksInput(TypedDict):
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class ChangeWebhookInput(TypedDict):
    webhookId: str
    """Identifier of the webhook."""
    url: NotRequired[str]
    """Where events are sent to: an https address that the internet can reach."""
    events: NotRequired[list[Literal["report.finished", "report.failed", "import.finished", "import.refused", "data.overdue", "target.at_risk", "schedule.finished", "schedule.failed", "webhook.disabled"]]]
    """The events that the webhook hears of. `report.finished`: A CSV report is done; its file can
    be downloaded. `report.failed`: A CSV report failed for good. `import.finished`: A document
    or rows were imported. `import.refused`: An import was refused or failed; no fact has
    changed. `data.overdue`: A daily dataset of a channel misses two days or more.
    `target.at_risk`: Sales of the month are below 95 % of their budget so far.
    `schedule.finished`: A run of a schedule is done; its file can be downloaded.
    `schedule.failed`: A run of a schedule failed for good. `webhook.disabled`: A webhook of the
    organisation was disabled after failing for long.
    """
    description: NotRequired[str]
    """What the webhook is for; shown beside it."""
    state: NotRequired[Literal["enabled", "paused"]]
    """paused stops it; enabled starts it again, also after it was disabled."""


class DeleteWebhookInput(TypedDict):
    webhookId: str
    """Identifier of the webhook."""


class ListWebhookDeliveriesInput(TypedDict):
    webhookId: str
    """Identifier of the webhook."""
    state: NotRequired[Literal["waiting", "delivered", "failed", "dropped"]]
    """Only deliveries in this state."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class ReplayWebhookDeliveryInput(TypedDict):
    webhookId: str
    """Identifier of the webhook."""
    deliveryId: str
    """Identifier of the delivery."""


class RotateWebhookSecretInput(TypedDict):
    webhookId: str
    """Identifier of the webhook."""
    graceSeconds: NotRequired[int]
    """How long the previous secret signs too; 0 ends it at once."""


class TestWebhookInput(TypedDict):
    webhookId: str
    """Identifier of the webhook."""


class ListSchedulesInput(TypedDict):
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class ChangeScheduleInput(TypedDict):
    scheduleId: str
    """Identifier of the schedule."""
    name: NotRequired[str]
    """What the schedule is for."""
    cron: NotRequired[str]
    """When it is due, as five fields: minute, hour, day of the month, month, day of the week. A
    local time that a change of clocks skips is due at the end of the gap; one that comes twice
    is due the first time. The times are at least an hour apart.
    """
    timezone: NotRequired[str]
    """IANA time zone of the times and of the days of the period."""
    parameters: NotRequired[ChangeScheduleInputParameters]
    """Its parameters, without those that the period sets."""
    period: NotRequired[Literal["yesterday", "last7Days", "last30Days", "last90Days", "lastWeek", "lastMonth", "monthToDate", "yearToDate"] | None]
    """The period of each run; null for none."""
    emails: NotRequired[list[str]]
    """The file is sent to these addresses too, if the operator has set up e-mail. Those of
    strangers are asked to confirm at first. E-mails of a day are limited.
    """
    state: NotRequired[Literal["enabled", "paused"]]
    """paused stops it; enabled starts it again, also after it was disabled."""


class DeleteScheduleInput(TypedDict):
    scheduleId: str
    """Identifier of the schedule."""


class RunScheduleInput(TypedDict):
    scheduleId: str
    """Identifier of the schedule."""


class ListScheduleRunsInput(TypedDict):
    scheduleId: str
    """Identifier of the schedule."""
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows per page."""


class ListChannelsRequestFilter(TypedDict):
    marketplaces: NotRequired[list[str]]
    """Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case."""
    countryCodes: NotRequired[list[str]]
    """Countries."""


class ChannelFreshness(TypedDict):
    """The last date with facts, YYYY-MM-DD, of each dataset that has dated ones; those of instants
    are dates in the channel's time zone. With freshness only.
    """
    orders: NotRequired[str]
    """Last date with facts of orders."""
    orderLines: NotRequired[str]
    """Last date with facts of orderLines."""
    traffic: NotRequired[str]
    """Last date with facts of traffic."""
    campaigns: NotRequired[str]
    """Last date with facts of campaigns."""
    adGroups: NotRequired[str]
    """Last date with facts of adGroups."""
    keywords: NotRequired[str]
    """Last date with facts of keywords."""
    campaignDays: NotRequired[str]
    """Last date with facts of campaignDays."""
    adGroupDays: NotRequired[str]
    """Last date with facts of adGroupDays."""
    keywordDays: NotRequired[str]
    """Last date with facts of keywordDays."""
    adProductDays: NotRequired[str]
    """Last date with facts of adProductDays."""
    vendorSales: NotRequired[str]
    """Last date with facts of vendorSales."""
    vendorMargins: NotRequired[str]
    """Last date with facts of vendorMargins."""
    targets: NotRequired[str]
    """Last date with facts of targets."""
    searchQueries: NotRequired[str]
    """Last date with facts of searchQueries."""
    products: NotRequired[str]
    """Last date with facts of products."""
    financeEvents: NotRequired[str]
    """Last date with facts of financeEvents."""
    unitCosts: NotRequired[str]
    """Last date with facts of unitCosts."""
    inventory: NotRequired[str]
    """Last date with facts of inventory."""


class LineageFactsSumsItem(TypedDict):
    currency: str | None
    """The currency of the amounts, as the facts have it; null without one."""
    figures: dict[str, Any]
    """Exact sums of the leading figures, by their name in the dataset."""


class LineageRatePublishedItem(TypedDict):
    currency: str
    date: str
    """The date of the rate."""
    perEuro: float
    """Units of the currency per euro."""
    peggedTo: str | None
    """The currency of the rate, if this one has a fixed rate to it."""
    importId: int
    """The import that brought the rate."""
    source: Literal["published", "own"]
    """published: from the history of the European Central Bank; own: from rows of exchangeRates."""


class CustomGroupProductsItem(TypedDict):
    sellerSku: str
    """The seller's SKU of the product."""


class ViewAdvertisingByChannelsRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""


class ViewAdvertisingByChannelsRequestFilter(TypedDict):
    marketplaces: NotRequired[list[str]]
    """Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case."""
    countries: NotRequired[list[str]]
    """Countries."""
    tags: NotRequired[list[str]]
    """Tags that the caller sees on the channel: the caller's own and the organisation's. Letter
    case matters.
    """


class ViewAdvertisingByChannelsAnswerData(TypedDict):
    items: list[AdvertisingByChannelItem]
    pageIndex: int
    """Number of this page, the first being 0."""
    pageSize: int
    """Items of a page."""
    totalItems: int
    """Items on all pages together."""
    totalPages: int
    """Pages that have items."""


class ViewVendorSalesByPeriodRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""
    interval: NotRequired[Literal["d", "w", "M", "Q", "y", "day", "week", "month", "quarter", "year"]]
    """Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The
    first and the last bucket are clipped to the period.
    """


class ViewProfitByPeriodRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: str
    """IANA time zone by whose calendar the range is divided, such as Europe/London."""
    interval: NotRequired[Literal["d", "w", "M", "Q", "y", "day", "week", "month", "quarter", "year"]]
    """Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The
    first and the last bucket are clipped to the period.
    """


class ViewSalesByProductAnswerUnlisted(TypedDict):
    """Sales of the store that belong to no row."""
    current: UnlistedSales
    prior: UnlistedSales


class ViewSalesByChannelRequestFilter(TypedDict):
    marketplaces: NotRequired[list[str]]
    """Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case."""
    countries: NotRequired[list[str]]
    """Countries."""
    tags: NotRequired[list[str]]
    """Tags that the caller sees on the channel: the caller's own and the organisation's. Letter
    case matters.
    """


class SalesByChannelRowMarketplace(TypedDict):
    market: str
    """Marketplace on which the store sells; primarymkt is the primary one."""
    countryCode: str
    """ISO 3166-1 alpha-3 code of the country."""


class SalesByChannelRowSales(TypedDict):
    value: float | None
    priorPeriodValue: float | None


class SalesByChannelRowOrders(TypedDict):
    value: str
    """Orders with a line that is not canceled; before a channel's first order line the order items
    of the marketplace's traffic, as ordersBasis says. Vendors have none.
    """
    priorPeriodValue: str
    """Orders with a line that is not canceled; before a channel's first order line the order items
    of the marketplace's traffic, as ordersBasis says. Vendors have none.
    """


class SalesByChannelRowOrdersBasis(TypedDict):
    value: Literal["orders", "orderItems", "both"]
    """What orders counts: orders, orderItems where only traffic is known, or both, where the order
    lines begin within the period.
    """
    priorPeriodValue: Literal["orders", "orderItems", "both"]
    """What orders counts: orders, orderItems where only traffic is known, or both, where the order
    lines begin within the period.
    """


class SalesByChannelRowAvOrderValue(TypedDict):
    value: float | None
    priorPeriodValue: float | None


class SalesByChannelRowUnits(TypedDict):
    value: str
    """Units sold; of vendors, ordered or shipped, by vendorRevenueType."""
    priorPeriodValue: str
    """Units sold; of vendors, ordered or shipped, by vendorRevenueType."""


class SalesByChannelRowAvOrderSize(TypedDict):
    value: float
    """units / orders, 0 without orders."""
    priorPeriodValue: float
    """units / orders, 0 without orders."""


class SalesByChannelRowPageViews(TypedDict):
    value: str
    """Page views; of vendors, glance views."""
    priorPeriodValue: str
    """Page views; of vendors, glance views."""


class SalesByChannelRowConversions(TypedDict):
    value: float
    """Units ordered / pageViews, in percent; 0 without page views, may exceed 100."""
    priorPeriodValue: float
    """Units ordered / pageViews, in percent; 0 without page views, may exceed 100."""


class SalesByChannelRowBuyBoxSnapshot(TypedDict):
    percentage: float | None
    date: str | None


class CreateCustomerLifetimeValueReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    interval: NotRequired[Literal["d", "w", "M", "Q", "y", "day", "week", "month", "quarter", "year"]]
    """Length of a cohort: d day, w week from Monday, M month, Q quarter, y year, or the word. The
    first and the last cohort are clipped to the period.
    """


class CreateTrafficAndConversionReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    view: NotRequired[Literal["parents", "skus"]]
    """One row per parent product, or one per SKU with the additional columns sku and brand."""


class CreateCancellationsAndRefundsReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""


class CreateOrderedRevenueReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""


class CreateShippedRevenueReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    view: NotRequired[Literal["sourcing", "manufacturing"]]
    """sourcing: the units that the vendor itself supplied; manufacturing: all units of the
    vendor's products.
    """


class CreateSalesByProductReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    includeNoSales: NotRequired[bool]
    """true adds the products that were not sold in the period."""
    includeNoInventory: NotRequired[bool]
    """false removes the products that are out of stock."""


class CreateCampaignsReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""


class CreateMarketingByProductReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""


class CreateChannelProfitAndLossReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    channelIds: NotRequired[list[str]]
    """Channels other than channelId, in the order of their columns, at most 20 different ones."""
    currentCurrency: NotRequired[str]
    """Currency that amounts are converted to: an ISO 4217 code, in any letter case. Without it,
    amounts are in the currency of the channels, or in USD if they have several.
    """
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    includeCogsRefunds: NotRequired[bool]
    """When true, cogs is less the cost of the units returned."""


class CreateRepeatPurchaseReportRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    priorFromDate: NotRequired[int]
    """Start of the comparison period. Unix epoch time in whole seconds."""
    priorToDate: NotRequired[int]
    """End of the comparison period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar that divides the range, such as Europe/London."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""


class OrderBuyerInfo(TypedDict):
    BuyerEmail: str
    """The buyer's e-mail address, which is personal data; "" where it is not known."""


class OrderAutomatedShippingSettings(TypedDict):
    HasAutomatedShippingSettings: str
    """The text true or false; false where it is not known."""
    AutomatedShipMethodName: str
    """Shipping method; "" where it is not known."""
    AutomatedCarrierName: str
    """Carrier; "" where it is not known."""


class OrderDefaultShipFromLocationAddress(TypedDict):
    """Where it is shipped from."""
    StateOrRegion: str
    """State or region; "" where it is not known."""
    PostalCode: str
    """Postal code; "" where it is not known."""
    City: str
    """City; "" where it is not known."""
    CountryCode: str
    """Country; "" where it is not known."""


class OrderShippingAddress(TypedDict):
    """Where it is shipped to."""
    StateOrRegion: str
    """State or region; "" where it is not known."""
    PostalCode: str
    """Postal code; "" where it is not known."""
    City: str
    """City; "" where it is not known."""
    CountryCode: str
    """Country; "" where it is not known."""


class OrderOrderTotal(TypedDict):
    Amount: float
    """What the buyer pays; 0 where it is not known."""
    CurrencyCode: str
    """Its currency, ISO 4217; "" where it is not known."""


class ListOrdersAnswerMeta(TypedDict):
    key: NotRequired[str]
    """Asks for the next page; absent on the last one."""


class ReadProductProfitAndLossRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    includeCogsRefunds: NotRequired[bool]
    """When true, cogs is less the cost of the units returned."""
    sellerSkus: NotRequired[list[str]]
    """Restricts the rows to these SKUs, at most 50 different ones. Unknown ones are ignored; an
    empty list does not restrict.
    """
    pageIndex: NotRequired[int]
    """Number of the page, counted from 0."""
    pageSize: NotRequired[int]
    """Rows of a page."""


class ReadStoreProfitAndLossRequestReportOptions(TypedDict):
    fromDate: int
    """Start of the reporting period. Unix epoch time in whole seconds."""
    toDate: int
    """End of the reporting period, inclusive. Unix epoch time in whole seconds."""
    timezone: NotRequired[str]
    """IANA time zone whose dates unit costs and rates are looked up by, such as Europe/London."""
    includeTax: NotRequired[bool]
    """true includes tax in sales, false excludes it."""
    includeCogsRefunds: NotRequired[bool]
    """When true, cogs is less the cost of the units returned."""


class ListAdGroupsAnswerMeta(TypedDict):
    currency: str
    """Currency of all amounts, ISO 4217."""


class ListCampaignsAnswerMeta(TypedDict):
    currency: str
    """Currency of all amounts, ISO 4217."""


class ListKeywordsAnswerMeta(TypedDict):
    currency: str
    """Currency of all amounts, ISO 4217."""


class ListProductsAnswerMeta(TypedDict):
    currency: str
    """Currency of all amounts, ISO 4217."""


class ReadTargetsAnswerMeta(TypedDict):
    timezone: str
    """The time zone that was asked for."""
    currency: str
    """The channel's currency, ISO 4217, in which the targets are."""


class ListSearchQueryPerformanceAnswerMeta(TypedDict):
    currency: str
    """Currency of all amounts, ISO 4217."""
    dateRange: ListSearchQueryPerformanceAnswerMetaDateRange


class CreateScheduleRequestParameters(TypedDict):
    """Its parameters, without those that the period sets."""


class ScheduleParameters(TypedDict):
    """Its parameters."""


class ScheduleRecipientsItem(TypedDict):
    email: str
    """The address."""
    state: Literal["member", "allowed", "confirmed", "unconfirmed", "unsubscribed"]
    """`member`: of a user of the organisation. `allowed`: of a domain that the operator allows.
    `confirmed`: its owner has confirmed. `unconfirmed`: its owner was asked to confirm; no file
    goes there until then. `unsubscribed`: its owner wants no e-mails of the organisation.
    """


class ChangeScheduleRequestParameters(TypedDict):
    """Its parameters, without those that the period sets."""


class ChangeScheduleInputParameters(TypedDict):
    """Its parameters, without those that the period sets."""


class ListSearchQueryPerformanceAnswerMetaDateRange(TypedDict):
    fromDate: str
    """First date of the period, YYYY-MM-DD."""
    toDate: str
    """Last date of the period, YYYY-MM-DD."""
    priorFromDate: str
    """First date of the comparison period, YYYY-MM-DD."""
    priorToDate: str
    """Last date of the comparison period, YYYY-MM-DD."""


ListChannelsAnswer = list[Channel]


# An import that a date comes from or came from.
LineageImport = TypedDict(
    "LineageImport",
    {
        "importId": "int",
        # Its state.
        "state": "Literal[\"running\", \"done\", \"failed\", \"undone\"]",
        # Its part in the date: it has facts of it that count, all of its facts of the date were
        # superseded, it covers the date without facts of it (empty), or it is in this state.
        "standing": "Literal[\"counts\", \"superseded\", \"empty\", \"undone\", \"failed\", \"running\"]",
        # The dataset, or the document kind that was recognised.
        "dataset": "str",
        # The sum of rowsAccepted, rowsMerged, rowsRejected and rowsSkipped when the import has
        # ended.
        "rowsRead": "int",
        "rowsAccepted": "int",
        # Rows with the key of a later row of the document, which replaced them: earlier
        # versions of the same order, line or product.
        "rowsMerged": "int",
        "rowsRejected": "int",
        # Rows that are right but not counted, such as those of a document that was refused as a
        # whole.
        "rowsSkipped": "int",
        # Rows of other stores than the channel's, among those that were skipped.
        "otherStores": "int",
        # The encoding of the document, such as utf-8 or windows-1252; null for spreadsheets,
        # and where it is not known.
        "encoding": "str | None",
        # Accepted rows that cover several days and were booked on the last of them.
        "rowsCoarse": "int",
        # Amounts with more than six decimals, which were rounded to six, half away from zero.
        "rounded": "int",
        # First date that it covers, in the channel's time zone.
        "from": "str | None",
        # Last date.
        "to": "str | None",
        # When the import began. Unix epoch time in whole seconds.
        "startedAt": "int",
        "finishedAt": "int | None",
        "error": "str | None",
        # The document; null for imports of earlier versions, and where it did not arrive whole.
        "document": "ImportedDocument | None",
    },
)


# The exchange rate that converts figures of a date.
LineageRate = TypedDict(
    "LineageRate",
    {
        # The currency of facts.
        "from": "str",
        # The currency that was asked for.
        "to": "str",
        # Units of the second currency for one of the first; null if none is known.
        "rate": "float | None",
        # Whether it is the mean of the rates of the month, by which monthly facts convert.
        "isMonthMean": "bool",
        # The rates behind it; none for the euro or for equal currencies.
        "published": "list[LineageRatePublishedItem]",
    },
)

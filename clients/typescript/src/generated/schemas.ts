// Written by `npm run documents` from docs/openapi.json: do not edit.
export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type ListChannelsRequest = {
    filter?: {
        /**
         * Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case.
         */
        marketplaces?: Array<string>;
        /**
         * Countries.
         */
        countryCodes?: Array<string>;
    };
    /**
     * Further fields of each channel.
     */
    include?: Array<'details' | 'freshness'>;
};

export type Channel = {
    /**
     * Identifier of the channel.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Marketplace on which the channel sells; primarymkt is the primary one.
     */
    marketplace: string;
    /**
     * ISO 3166-1 alpha-3 code of the country.
     */
    countryCode: string;
    /**
     * Name of the store.
     */
    displayName: string;
    /**
     * Whether advertising figures come in for the channel.
     */
    hasAdvertisingConnected: boolean;
    /**
     * What the owner of the channel is on its marketplace. With details only.
     */
    kind?: 'seller' | 'vendor';
    /**
     * The channel's currency, ISO 4217. With details only.
     */
    currency?: string;
    /**
     * The channel's IANA time zone. With details only.
     */
    timezone?: string;
    /**
     * The last date with facts, YYYY-MM-DD, of each dataset that has dated ones; those of instants are dates in the channel's time zone. With freshness only.
     */
    freshness?: {
        /**
         * Last date with facts of orders.
         */
        orders?: string;
        /**
         * Last date with facts of orderLines.
         */
        orderLines?: string;
        /**
         * Last date with facts of traffic.
         */
        traffic?: string;
        /**
         * Last date with facts of campaigns.
         */
        campaigns?: string;
        /**
         * Last date with facts of adGroups.
         */
        adGroups?: string;
        /**
         * Last date with facts of keywords.
         */
        keywords?: string;
        /**
         * Last date with facts of campaignDays.
         */
        campaignDays?: string;
        /**
         * Last date with facts of adGroupDays.
         */
        adGroupDays?: string;
        /**
         * Last date with facts of keywordDays.
         */
        keywordDays?: string;
        /**
         * Last date with facts of adProductDays.
         */
        adProductDays?: string;
        /**
         * Last date with facts of vendorSales.
         */
        vendorSales?: string;
        /**
         * Last date with facts of vendorMargins.
         */
        vendorMargins?: string;
        /**
         * Last date with facts of targets.
         */
        targets?: string;
        /**
         * Last date with facts of searchQueries.
         */
        searchQueries?: string;
        /**
         * Last date with facts of products.
         */
        products?: string;
        /**
         * Last date with facts of financeEvents.
         */
        financeEvents?: string;
        /**
         * Last date with facts of unitCosts.
         */
        unitCosts?: string;
        /**
         * Last date with facts of inventory.
         */
        inventory?: string;
    };
};

export type ListChannelsAnswer = Array<Channel>;

export type TagSet = {
    /**
     * Identifier of the channel.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * All tags of the channel that the caller sees, in order of their bytes.
     */
    tags: Array<string>;
};

export type ListTagsAnswer = {
    /**
     * Number of this page, counted from 0.
     */
    pageIndex: number;
    /**
     * Channels per page.
     */
    pageSize: number;
    /**
     * Channels on all pages.
     */
    totalCount: number;
    /**
     * Pages that have channels.
     */
    totalPages: number;
    items: Array<TagSet>;
};

export type ReadChannelTagsAnswer = {
    /**
     * Identifier of the channel.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * All tags of the channel that the caller sees, in order of their bytes.
     */
    tags: Array<string>;
};

export type ChangeChannelTagsRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Tags to be added.
     */
    addTags?: Array<string>;
    /**
     * Tags to be removed.
     */
    removeTags?: Array<string>;
};

export type ChangeChannelTagsAnswer = {
    /**
     * Identifier of the channel.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * All tags of the channel that the caller sees after the change, in order of their bytes.
     */
    tags: Array<string>;
};

export type ConvertTagRequest = {
    tag: string;
};

export type ConvertTagAnswer = {
    /**
     * The new tag.
     */
    tag: string;
    /**
     * Number of channels that were changed.
     */
    channels: number;
};

/**
 * The facts of a date that one import brought.
 */
export type LineageFacts = {
    /**
     * The table of the facts, as exports name it.
     */
    table: string;
    /**
     * The part of the table by which documents share a day, such as a type of advertising or a source of financial events; null in tables without parts.
     */
    partition: string | null;
    /**
     * The import that brought the facts.
     */
    importId: number;
    /**
     * Facts of the date that the import brought.
     */
    rows: number;
    /**
     * Those of them that cover several days and count on the last one.
     */
    rowsCoarse: number;
    /**
     * The first day of those of several days; null where there are none.
     */
    since: string | null;
    /**
     * Sums by currency; none of tables without figures that add up.
     */
    sums: Array<{
        /**
         * The currency of the amounts, as the facts have it; null without one.
         */
        currency: string | null;
        /**
         * Exact sums of the leading figures, by their name in the dataset.
         */
        figures: {
            [key: string]: unknown | string;
        };
    }>;
};

/**
 * The identity of an imported document.
 */
export type ImportedDocument = {
    /**
     * SHA-256 of the body as it was received, packed or not, in hexadecimal digits.
     */
    sha256: string;
    /**
     * Size of the body as it was received.
     */
    bytes: number;
    /**
     * Media type that the sender named, without parameters; null without one.
     */
    mediaType: string | null;
    /**
     * Name of the file that the sender named; null without one.
     */
    fileName: string | null;
};

/**
 * An import that a date comes from or came from.
 */
export type LineageImport = {
    importId: number;
    /**
     * Its state.
     */
    state: 'running' | 'done' | 'failed' | 'undone';
    /**
     * Its part in the date: it has facts of it that count, all of its facts of the date were superseded, it covers the date without facts of it (empty), or it is in this state.
     */
    standing: 'counts' | 'superseded' | 'empty' | 'undone' | 'failed' | 'running';
    /**
     * The dataset, or the document kind that was recognised.
     */
    dataset: string;
    /**
     * The sum of rowsAccepted, rowsMerged, rowsRejected and rowsSkipped when the import has ended.
     */
    rowsRead: number;
    rowsAccepted: number;
    /**
     * Rows with the key of a later row of the document, which replaced them: earlier versions of the same order, line or product.
     */
    rowsMerged: number;
    rowsRejected: number;
    /**
     * Rows that are right but not counted, such as those of a document that was refused as a whole.
     */
    rowsSkipped: number;
    /**
     * Rows of other stores than the channel's, among those that were skipped.
     */
    otherStores: number;
    /**
     * The encoding of the document, such as utf-8 or windows-1252; null for spreadsheets, and where it is not known.
     */
    encoding: string | null;
    /**
     * Accepted rows that cover several days and were booked on the last of them.
     */
    rowsCoarse: number;
    /**
     * Amounts with more than six decimals, which were rounded to six, half away from zero.
     */
    rounded: number;
    /**
     * First date that it covers, in the channel's time zone.
     */
    from: string | null;
    /**
     * Last date.
     */
    to: string | null;
    /**
     * When the import began. Unix epoch time in whole seconds.
     */
    startedAt: number;
    finishedAt: number | null;
    error: string | null;
    /**
     * The document; null for imports of earlier versions, and where it did not arrive whole.
     */
    document: ImportedDocument | null;
};

/**
 * An import whose facts of a date were superseded.
 */
export type LineageSuperseded = {
    /**
     * The table of the facts, as exports name it.
     */
    table: string;
    /**
     * The part of the table by which documents share a day, such as a type of advertising or a source of financial events; null in tables without parts.
     */
    partition: string | null;
    /**
     * The import that brought the facts.
     */
    importId: number;
    /**
     * Facts that were superseded, where their history is kept; else null.
     */
    rows: number | null;
    /**
     * restated: a later import covers the date. newerVersion: a later import brought newer versions of the same rows. precedence: another source of the same money takes precedence.
     */
    reason: 'restated' | 'newerVersion' | 'precedence';
    /**
     * The import that superseded it.
     */
    supersededBy: number;
};

/**
 * A financial code that no list knows.
 */
export type UnknownCode = {
    /**
     * The source of the amounts: the kind of financial document.
     */
    source: 'settlement' | 'transactions' | 'financialEvents' | 'economics' | 'reimbursements' | 'returns';
    /**
     * Type, component and code, as the document has them.
     */
    code: string;
    /**
     * The line that an owner has named; else null.
     */
    line: 'sales' | 'promotions' | 'refunds' | 'reimbursements' | 'otherIncome' | 'advertisingSpend' | 'sellingFees' | 'shippingFees' | 'refundsAndReturnsOverheads' | 'cogs' | 'otherExpenses' | 'balance' | 'sales.tax' | 'refunds.tax' | null;
    /**
     * The currency of the amount, ISO 4217.
     */
    currency: string;
    /**
     * The sum of its events, credits positive.
     */
    amount: number;
    /**
     * The number of events.
     */
    rows: number;
    /**
     * The first of them, epoch seconds.
     */
    firstAt: number;
    /**
     * The last of them, epoch seconds.
     */
    lastAt: number;
};

/**
 * The exchange rate that converts figures of a date.
 */
export type LineageRate = {
    /**
     * The currency of facts.
     */
    from: string;
    /**
     * The currency that was asked for.
     */
    to: string;
    /**
     * Units of the second currency for one of the first; null if none is known.
     */
    rate: number | null;
    /**
     * Whether it is the mean of the rates of the month, by which monthly facts convert.
     */
    isMonthMean: boolean;
    /**
     * The rates behind it; none for the euro or for equal currencies.
     */
    published: Array<{
        currency: string;
        /**
         * The date of the rate.
         */
        date: string;
        /**
         * Units of the currency per euro.
         */
        perEuro: number;
        /**
         * The currency of the rate, if this one has a fixed rate to it.
         */
        peggedTo: string | null;
        /**
         * The import that brought the rate.
         */
        importId: number;
        /**
         * published: from the history of the European Central Bank; own: from rows of exchangeRates.
         */
        source: 'published' | 'own';
    }>;
};

export type ReadLineageAnswer = {
    /**
     * Identifier of the channel.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * The dataset.
     */
    dataset: string;
    /**
     * The date.
     */
    date: string;
    /**
     * The channel's time zone.
     */
    timezone: string;
    /**
     * By table, part and import.
     */
    facts: Array<LineageFacts>;
    /**
     * The newest first.
     */
    imports: Array<LineageImport>;
    /**
     * By import, the newest first.
     */
    superseded: Array<LineageSuperseded>;
    /**
     * Of financial events of the date: the codes that no list knows, with their lines.
     */
    unknownCodes: Array<UnknownCode>;
    /**
     * By the currency of the facts, or the channel's without facts.
     */
    rates: Array<LineageRate>;
};

export type GroupProduct = {
    /**
     * The seller's SKU of the product.
     */
    sellerSku: string;
};

export type SaveCustomGroupRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Identifier of the group: an integer, or its digits.
     */
    groupId?: number | string;
    /**
     * Name of the group.
     */
    groupName: string;
    /**
     * Products of the group.
     */
    products?: Array<GroupProduct>;
    /**
     * Brands of the group.
     */
    brands?: Array<string>;
};

export type SaveCustomGroupAnswer = {
    /**
     * Identifier of the group.
     */
    groupId: number;
};

export type ListedCustomGroup = {
    /**
     * Identifier of the group.
     */
    groupId: number;
    /**
     * Name of the group.
     */
    groupName: string;
};

export type ListCustomGroupsAnswer = {
    groups: Array<ListedCustomGroup>;
    /**
     * Number of groups on all pages together.
     */
    total: number;
};

export type CustomGroup = {
    /**
     * Identifier of the group.
     */
    groupId: number;
    /**
     * Name of the group.
     */
    groupName: string;
    products: Array<{
        /**
         * The seller's SKU of the product.
         */
        sellerSku: string;
    }>;
    brands: Array<string>;
};

export type ReadCustomGroupAnswer = {
    group: CustomGroup;
};

export type ChangeCustomGroupRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Name of the group.
     */
    groupName?: string;
    /**
     * Products to be added, after those that are there.
     */
    addProducts?: Array<GroupProduct>;
    /**
     * Products to be removed.
     */
    removeProducts?: Array<GroupProduct>;
    /**
     * Brands to be added, after those that are there.
     */
    addBrands?: Array<string>;
    /**
     * Brands to be removed.
     */
    removeBrands?: Array<string>;
};

export type ViewAdvertisingByChannelsRequest = {
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone by whose calendar the range is divided, such as Europe/London.
         */
        timezone: string;
    };
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currentCurrency: string;
    /**
     * true includes tax in sales, false excludes it.
     */
    includeTax?: boolean;
    /**
     * What counts as the sales of vendor channels: what was ordered, or what the vendor supplied and was shipped.
     */
    vendorRevenueType?: 'orderedRevenue' | 'shippedRevenue';
    /**
     * Field by which the items are sorted, the largest first, "-" last; equal ones by channelId.
     */
    orderBy?: 'store' | 'countryCode' | 'marketplace_id' | 'seller_id' | 'adsales' | 'priorAdsales' | 'spend' | 'priorSpend' | 'acos' | 'priorAcos' | 'roas' | 'priorRoas' | 'tacos' | 'priorTacos' | 'troas' | 'priorTroas' | 'ctr' | 'cpc' | 'conv' | 'NTB_sales' | 'pecentage_sales_NTB' | 'percentage_orders_NTB' | 'percentage_units_NTB' | 'impressions' | 'clicks' | 'orders' | 'units' | 'NTB_orders' | 'NTB_units' | 'attributed_units_ordered_same_sku';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
    filter?: {
        /**
         * Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case.
         */
        marketplaces?: Array<string>;
        /**
         * Countries.
         */
        countries?: Array<string>;
        /**
         * Tags that the caller sees on the channel: the caller's own and the organisation's. Letter case matters.
         */
        tags?: Array<string>;
    };
    /**
     * Part of the name of the store, of the name of the marketplace or of the marketplace_id, in any letter case.
     */
    searchText?: string;
};

export type AdvertisingByChannelItem = {
    /**
     * Name of the store.
     */
    store: string;
    /**
     * ISO 3166-1 alpha-3 code of the country.
     */
    countryCode: string;
    /**
     * The part of merchantId after " @ ", "" where there is none.
     */
    marketplace_id: string;
    /**
     * The part of merchantId before " @ ", all of it where there is none.
     */
    seller_id: string;
    /**
     * Sales attributed to ads.
     */
    adsales: string;
    /**
     * Sales attributed to ads.
     */
    priorAdsales: string;
    /**
     * Cost of ads.
     */
    spend: string;
    /**
     * Cost of ads.
     */
    priorSpend: string;
    /**
     * spend / adsales, in percent.
     */
    acos: string;
    /**
     * spend / adsales, in percent.
     */
    priorAcos: string;
    /**
     * adsales / spend.
     */
    roas: string;
    /**
     * adsales / spend.
     */
    priorRoas: string;
    /**
     * spend / total sales, in percent.
     */
    tacos: string;
    /**
     * spend / total sales, in percent.
     */
    priorTacos: string;
    /**
     * Total sales / spend.
     */
    troas: string;
    /**
     * Total sales / spend.
     */
    priorTroas: string;
    /**
     * clicks / impressions, in percent.
     */
    ctr: string;
    /**
     * spend / clicks.
     */
    cpc: string;
    /**
     * orders / clicks, in percent.
     */
    conv: string;
    /**
     * Attributed sales to customers new to the brand; Sponsored Products have none.
     */
    NTB_sales: string;
    /**
     * NTB_sales / adsales, in percent. The name is spelled so.
     */
    pecentage_sales_NTB: string;
    /**
     * NTB_orders / orders, in percent.
     */
    percentage_orders_NTB: string;
    /**
     * NTB_units / units, in percent.
     */
    percentage_units_NTB: string;
    /**
     * Times ads were shown.
     */
    impressions: number;
    /**
     * Clicks on ads.
     */
    clicks: number;
    /**
     * Orders attributed to ads.
     */
    orders: number;
    /**
     * Units attributed to ads.
     */
    units: number;
    /**
     * Attributed orders of customers new to the brand.
     */
    NTB_orders: number;
    /**
     * Attributed units of customers new to the brand.
     */
    NTB_units: number;
    /**
     * Attributed units of the advertised product itself.
     */
    attributed_units_ordered_same_sku: number;
};

export type ViewAdvertisingByChannelsAnswer = {
    status: 'success';
    data: {
        items: Array<AdvertisingByChannelItem>;
        /**
         * Number of this page, the first being 0.
         */
        pageIndex: number;
        /**
         * Items of a page.
         */
        pageSize: number;
        /**
         * Items on all pages together.
         */
        totalItems: number;
        /**
         * Pages that have items.
         */
        totalPages: number;
    };
};

export type ByPeriodOptions = {
    /**
     * Start of the reporting period. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * End of the reporting period, inclusive. Unix epoch time in whole seconds.
     */
    toDate: number;
    /**
     * Start of the comparison period. Unix epoch time in whole seconds.
     */
    priorFromDate?: number;
    /**
     * End of the comparison period, inclusive. Unix epoch time in whole seconds.
     */
    priorToDate?: number;
    /**
     * IANA time zone by whose calendar the range is divided, such as Europe/London.
     */
    timezone: string;
    /**
     * Length of a bucket: h hour, d day, w week from Monday, M month, Q quarter, y year, or the word itself. The first and last bucket are clipped to the period.
     */
    interval?: 'h' | 'd' | 'w' | 'M' | 'Q' | 'y' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
};

export type ViewSalesByPeriodRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    reportOptions: ByPeriodOptions;
    /**
     * true includes tax in sales, false excludes it.
     */
    includeTax?: boolean;
    /**
     * Restricts order lines, traffic and product-level advertising to these SKUs. Unknown ones are ignored; an empty list does not restrict.
     */
    sellerSkus?: Array<string>;
};

export type SalesByPeriodRow = {
    /**
     * Start of the bucket: ISO 8601 with the offset in force.
     */
    startTime: string;
    /**
     * Last second of the bucket.
     */
    endTime: string;
    /**
     * Currency of all amounts, ISO 4217.
     */
    currency: string;
    /**
     * Units ordered.
     */
    unitsSold: number;
    /**
     * Units ordered.
     */
    priorUnitsSold: number;
    /**
     * Order lines.
     */
    lineItemCount: number;
    /**
     * Order lines.
     */
    priorLineItemCount: number;
    /**
     * Page views.
     */
    pageViews: number;
    /**
     * Page views.
     */
    priorPageViews: number;
    /**
     * Sessions.
     */
    totalSessions: number;
    /**
     * Sessions.
     */
    priorTotalSessions: number;
    /**
     * Times ads were shown.
     */
    impressions: number;
    /**
     * Times ads were shown.
     */
    priorImpressions: number;
    /**
     * Clicks on ads.
     */
    clicks: number;
    /**
     * Clicks on ads.
     */
    priorClicks: number;
    /**
     * Ordered product sales, with tax by includeTax.
     */
    sales: string;
    /**
     * Ordered product sales, with tax by includeTax.
     */
    priorSales: string;
    /**
     * sales / lineItemCount.
     */
    avgLineItemValue: string;
    /**
     * sales / lineItemCount.
     */
    priorAvgLineItemValue: string;
    /**
     * unitsSold / pageViews, in percent.
     */
    pageViewsConversions: string;
    /**
     * unitsSold / pageViews, in percent.
     */
    priorPageViewsConversions: string;
    /**
     * unitsSold / totalSessions, in percent; may exceed 100.
     */
    sessionConversions: string;
    /**
     * unitsSold / totalSessions, in percent; may exceed 100.
     */
    priorSessionConversions: string;
    /**
     * Share of page views with the featured offer, in percent.
     */
    buyboxWinPercentage: string;
    /**
     * Share of page views with the featured offer, in percent.
     */
    priorBuyboxWinPercentage: string;
    /**
     * Cost of ads.
     */
    adSpend: string;
    /**
     * Cost of ads.
     */
    priorAdSpend: string;
    /**
     * Sales attributed to ads.
     */
    adSales: string;
    /**
     * Sales attributed to ads.
     */
    priorAdSales: string;
    /**
     * clicks / impressions, in percent with two decimals.
     */
    clickThroughRate: string;
    /**
     * clicks / impressions, in percent with two decimals.
     */
    priorClickThroughRate: string;
    /**
     * adSpend / adSales, in percent.
     */
    acos: string;
    /**
     * adSpend / adSales, in percent.
     */
    priorAcos: string;
    /**
     * adSpend / sales, in percent.
     */
    tacos: string;
    /**
     * adSpend / sales, in percent.
     */
    priorTacos: string;
};

export type ViewSalesByPeriodAnswer = {
    status: 'success';
    /**
     * Currency of all amounts, ISO 4217.
     */
    currency: string;
    formattedChartData: Array<SalesByPeriodRow>;
};

export type ViewVendorSalesByPeriodRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone by whose calendar the range is divided, such as Europe/London.
         */
        timezone: string;
        /**
         * Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The first and the last bucket are clipped to the period.
         */
        interval?: 'd' | 'w' | 'M' | 'Q' | 'y' | 'day' | 'week' | 'month' | 'quarter' | 'year';
    };
    /**
     * Restricts sales and advertised products to these ASINs. Unknown ones are ignored; an empty list does not restrict.
     */
    asins?: Array<string>;
};

export type VendorSalesByPeriodRow = {
    /**
     * Start of the bucket: ISO 8601 with the offset in force.
     */
    startTime: string;
    /**
     * Last second of the bucket.
     */
    endTime: string;
    /**
     * Currency of all amounts, ISO 4217.
     */
    currency: string;
    /**
     * Views of product pages.
     */
    glanceViews: number;
    /**
     * Views of product pages.
     */
    priorGlanceViews: number;
    /**
     * Units ordered of the vendor's products.
     */
    orderedUnits: number;
    /**
     * Units ordered of the vendor's products.
     */
    priorOrderedUnits: number;
    /**
     * Units shipped that the vendor itself supplied.
     */
    shippedUnits: number;
    /**
     * Units shipped that the vendor itself supplied.
     */
    priorShippedUnits: number;
    /**
     * Units shipped of all the vendor's products, from any supplier.
     */
    shippedUnitsManufacturing: number;
    /**
     * Units shipped of all the vendor's products, from any supplier.
     */
    priorShippedUnitsManufacturing: number;
    /**
     * Times ads were shown.
     */
    impressions: number;
    /**
     * Times ads were shown.
     */
    priorImpressions: number;
    /**
     * Clicks on ads.
     */
    clicks: number;
    /**
     * Clicks on ads.
     */
    priorClicks: number;
    /**
     * Ordered revenue of all the vendor's products.
     */
    orderedRevenue: string;
    /**
     * Ordered revenue of all the vendor's products.
     */
    priorOrderedRevenue: string;
    /**
     * orderedUnits / glanceViews, in percent; may exceed 100.
     */
    conversionRate: string;
    /**
     * orderedUnits / glanceViews, in percent; may exceed 100.
     */
    priorConversionRate: string;
    /**
     * orderedRevenue / orderedUnits.
     */
    retailPrice: string;
    /**
     * orderedRevenue / orderedUnits.
     */
    priorRetailPrice: string;
    /**
     * Revenue of the shipped units that the vendor itself supplied.
     */
    shippedRevenue: string;
    /**
     * Revenue of the shipped units that the vendor itself supplied.
     */
    priorShippedRevenue: string;
    /**
     * Revenue of all shipped units of the vendor's products.
     */
    shippedRevenueManufacturing: string;
    /**
     * Revenue of all shipped units of the vendor's products.
     */
    priorShippedRevenueManufacturing: string;
    /**
     * What the marketplace paid for the shipped units that the vendor itself supplied.
     */
    shippedCogs: string;
    /**
     * What the marketplace paid for the shipped units that the vendor itself supplied.
     */
    priorShippedCogs: string;
    /**
     * What the marketplace paid for all shipped units of the vendor's products.
     */
    shippedCogsManufacturing: string;
    /**
     * What the marketplace paid for all shipped units of the vendor's products.
     */
    priorShippedCogsManufacturing: string;
    /**
     * Sales attributed to ads.
     */
    adSales: string;
    /**
     * Sales attributed to ads.
     */
    priorAdSales: string;
    /**
     * Cost of ads.
     */
    adSpend: string;
    /**
     * Cost of ads.
     */
    priorAdSpend: string;
    /**
     * adSpend / adSales, in percent.
     */
    acos: string;
    /**
     * adSpend / adSales, in percent.
     */
    priorAcos: string;
    /**
     * adSpend / orderedRevenue, in percent.
     */
    tacosOrderedRevenue: string;
    /**
     * adSpend / orderedRevenue, in percent.
     */
    priorTacosOrderedRevenue: string;
    /**
     * adSpend / shippedRevenue, in percent.
     */
    tacosShippedRevenue: string;
    /**
     * adSpend / shippedRevenue, in percent.
     */
    priorTacosShippedRevenue: string;
    /**
     * adSpend / shippedRevenueManufacturing, in percent.
     */
    tacosManufacturing: string;
    /**
     * adSpend / shippedRevenueManufacturing, in percent.
     */
    priorTacosManufacturing: string;
    /**
     * clicks / impressions, in percent with two decimals.
     */
    clickThroughRate: string;
    /**
     * clicks / impressions, in percent with two decimals.
     */
    priorClickThroughRate: string;
};

export type ViewVendorSalesByPeriodAnswer = {
    status: 'success';
    /**
     * Currency of all amounts, ISO 4217.
     */
    currency: string;
    formattedChartData: Array<VendorSalesByPeriodRow>;
};

export type ViewProfitByPeriodRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId?: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId?: string;
    /**
     * Channels that are added up, at most 20 different ones; with channelId and merchantId, beside that one.
     */
    channelIds?: Array<string>;
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone by whose calendar the range is divided, such as Europe/London.
         */
        timezone: string;
        /**
         * Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The first and the last bucket are clipped to the period.
         */
        interval?: 'd' | 'w' | 'M' | 'Q' | 'y' | 'day' | 'week' | 'month' | 'quarter' | 'year';
    };
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case. Without it, amounts are in the currency of the channels, or in USD if they have several.
     */
    currentCurrency?: string;
    /**
     * true includes tax in sales, false excludes it.
     */
    includeTax?: boolean;
    /**
     * When true, cogs is less the cost of the units returned.
     */
    includeCogsRefunds?: boolean;
};

export type ProfitByPeriodRow = {
    /**
     * Start of the bucket: ISO 8601 with the offset in force.
     */
    startTime: string;
    /**
     * Last second of the bucket.
     */
    endTime: string;
    /**
     * Currency of all amounts, ISO 4217.
     */
    currency: string;
    /**
     * sales + refunds + promotions + reimbursements + otherIncome.
     */
    totalRevenue: string;
    /**
     * sales + refunds + promotions + reimbursements + otherIncome.
     */
    priorTotalRevenue: string;
    /**
     * advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs + otherExpenses.
     */
    totalExpenses: string;
    /**
     * advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs + otherExpenses.
     */
    priorTotalExpenses: string;
    /**
     * Price of the items sold, with tax by includeTax.
     */
    sales: string;
    /**
     * Price of the items sold, with tax by includeTax.
     */
    priorSales: string;
    /**
     * What was refunded, with tax by includeTax; negative as a rule.
     */
    refunds: string;
    /**
     * What was refunded, with tax by includeTax; negative as a rule.
     */
    priorRefunds: string;
    /**
     * Promotions and coupons that the seller paid for; negative as a rule.
     */
    promotions: string;
    /**
     * Promotions and coupons that the seller paid for; negative as a rule.
     */
    priorPromotions: string;
    /**
     * What the marketplace made good, such as lost and damaged stock.
     */
    reimbursements: string;
    /**
     * What the marketplace made good, such as lost and damaged stock.
     */
    priorReimbursements: string;
    /**
     * Shipping and gift wrap that buyers paid for, liquidations, other credits.
     */
    otherIncome: string;
    /**
     * Shipping and gift wrap that buyers paid for, liquidations, other credits.
     */
    priorOtherIncome: string;
    /**
     * What advertising cost. Positive where it is a cost, negative where more came back.
     */
    advertisingSpend: string;
    /**
     * What advertising cost. Positive where it is a cost, negative where more came back.
     */
    priorAdvertisingSpend: string;
    /**
     * Referral, closing, digital service and subscription fees. Positive where it is a cost, negative where more came back.
     */
    sellingFees: string;
    /**
     * Referral, closing, digital service and subscription fees. Positive where it is a cost, negative where more came back.
     */
    priorSellingFees: string;
    /**
     * Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped. Positive where it is a cost, negative where more came back.
     */
    shippingFees: string;
    /**
     * Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped. Positive where it is a cost, negative where more came back.
     */
    priorShippingFees: string;
    /**
     * What refunds and returns cost besides the refund itself. Positive where it is a cost, negative where more came back.
     */
    refundsAndReturnsOverheads: string;
    /**
     * What refunds and returns cost besides the refund itself. Positive where it is a cost, negative where more came back.
     */
    priorRefundsAndReturnsOverheads: string;
    /**
     * What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit returned. Positive where it is a cost, negative where more came back.
     */
    cogs: string;
    /**
     * What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit returned. Positive where it is a cost, negative where more came back.
     */
    priorCogs: string;
    /**
     * Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost, negative where more came back.
     */
    otherExpenses: string;
    /**
     * Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost, negative where more came back.
     */
    priorOtherExpenses: string;
    /**
     * totalRevenue - totalExpenses.
     */
    netProfit: string;
    /**
     * totalRevenue - totalExpenses.
     */
    priorNetProfit: string;
    /**
     * netProfit / totalRevenue, in percent.
     */
    margin: string;
    /**
     * netProfit / totalRevenue, in percent.
     */
    priorMargin: string;
    /**
     * Of sales, those without any cost of goods: no unit cost of the SKU applies on their date and no source reports one in the bucket.
     */
    salesWithoutUnitCosts: string;
    /**
     * Of sales, those without any cost of goods: no unit cost of the SKU applies on their date and no source reports one in the bucket.
     */
    priorSalesWithoutUnitCosts: string;
    /**
     * How many SKUs these sales are of.
     */
    productsWithoutUnitCosts: number;
    /**
     * How many SKUs these sales are of.
     */
    priorProductsWithoutUnitCosts: number;
};

export type ViewProfitByPeriodAnswer = {
    status: 'success';
    /**
     * Currency of all amounts, ISO 4217.
     */
    currency: string;
    formattedChartData: Array<ProfitByPeriodRow>;
};

export type ViewSalesByProductRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Start of the reporting period. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * End of the reporting period, inclusive. Unix epoch time in whole seconds.
     */
    toDate: number;
    /**
     * Start of the comparison period. Unix epoch time in whole seconds.
     */
    priorFromDate?: number;
    /**
     * End of the comparison period, inclusive. Unix epoch time in whole seconds.
     */
    priorToDate?: number;
    /**
     * IANA time zone by whose calendar the range is divided, such as Europe/London.
     */
    timezone: string;
    /**
     * true includes tax in sales, false excludes it.
     */
    includeTax?: boolean;
    /**
     * true adds the products of the catalogue and of the inventory, and those with ads, that were not sold in either period.
     */
    includeNoSales?: boolean;
    /**
     * false removes products of which no unit was available at the end of the period, where the inventory is known.
     */
    includeNoInventory?: boolean;
    /**
     * Part of the title, the SKU or the productSku, in any letter case.
     */
    searchText?: string;
    /**
     * Column that the rows are sorted by.
     */
    sortKey?: 'productId' | 'title' | 'sku' | 'productSku' | 'linkUrl' | 'imageUrl' | 'price' | 'totalSales' | 'unitsSold' | 'avPrice' | 'lastSold' | 'noQuantitySinceTime' | 'acos' | 'tacos';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type SoldProduct = {
    /**
     * Identifies the row: the SKU or, where no SKU is known, the product id of the platform; "" for facts that name neither.
     */
    productId: string;
    /**
     * The title, "" when it is not known.
     */
    title: string;
    /**
     * The SKU, "" when it is not known.
     */
    sku: string;
    /**
     * The product id of the platform (ASIN), "" when it is not known.
     */
    productSku: string;
    /**
     * Address of the product page, "" when not known.
     */
    linkUrl: string;
    /**
     * Address of an image, "" when not known.
     */
    imageUrl: string;
    /**
     * The present price of the offer, null when it is not known.
     */
    price: number | null;
    /**
     * Ordered product sales, with tax by includeTax.
     */
    totalSales: number;
    /**
     * Units ordered.
     */
    unitsSold: number;
    /**
     * totalSales / unitsSold, 0 without units.
     */
    avPrice: number;
    /**
     * When the product was last sold up to the end of the period, in epoch seconds; null for never. Of sales that are known by date alone, the start of the date.
     */
    lastSold: number | null;
    /**
     * Start of the first date since which no snapshot of the inventory had units available, up to the end of the period, in epoch seconds; null where there were some, or none is known.
     */
    noQuantitySinceTime: number | null;
    /**
     * Cost of ads / sales attributed to ads, in percent; 0 without a denominator.
     */
    acos: number;
    /**
     * Cost of ads / totalSales, in percent; 0 without a denominator.
     */
    tacos: number;
    /**
     * Vendor channels only: sales that the vendor shipped itself. No document has them: 0.
     */
    directFulfillmentSales?: number;
    /**
     * Vendor channels only: units of these sales. No document has them: 0.
     */
    directFulfillmentUnits?: number;
};

export type SalesByProductRow = {
    current: SoldProduct;
    prior: SoldProduct;
};

export type UnlistedSales = {
    /**
     * Sales of the store beyond those of its products.
     */
    totalSales: number;
    /**
     * Units of the store beyond those of its products.
     */
    unitsSold: number;
};

export type ViewSalesByProductAnswer = {
    rows: Array<SalesByProductRow>;
    /**
     * Rows on all pages together.
     */
    count: number;
    /**
     * The channel's currency, ISO 4217.
     */
    currency: string;
    /**
     * Sales of the store that belong to no row.
     */
    unlisted: {
        current: UnlistedSales;
        prior: UnlistedSales;
    };
};

export type ViewSalesByChannelRequest = {
    /**
     * Start of the reporting period. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * End of the reporting period, inclusive. Unix epoch time in whole seconds.
     */
    toDate: number;
    /**
     * Start of the comparison period. Unix epoch time in whole seconds.
     */
    priorFromDate: number;
    /**
     * End of the comparison period, inclusive. Unix epoch time in whole seconds.
     */
    priorToDate: number;
    /**
     * IANA time zone by whose calendar the range is divided, such as Europe/London.
     */
    timezone: string;
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currentCurrency?: string;
    /**
     * true includes tax in sales, false excludes it.
     */
    includeTax?: boolean;
    /**
     * What counts as the sales of vendor channels: what was ordered, or what the vendor supplied and was shipped.
     */
    vendorRevenueType?: 'orderedRevenue' | 'shippedRevenue';
    /**
     * Length of a bucket: d day, w week from Monday, M month, Q quarter, y year, or the word. The first and the last bucket are clipped to the period. Without it there are no buckets.
     */
    interval?: 'd' | 'w' | 'M' | 'Q' | 'y' | 'day' | 'week' | 'month' | 'quarter' | 'year';
    /**
     * Restricts the answer to these channels; those out of reach match nothing. An empty list does not restrict.
     */
    channelIds?: Array<string>;
    filter?: {
        /**
         * Marketplaces by name or identifier, such as primarymkt or ATVPDKIKX0DER, in any letter case.
         */
        marketplaces?: Array<string>;
        /**
         * Countries.
         */
        countries?: Array<string>;
        /**
         * Tags that the caller sees on the channel: the caller's own and the organisation's. Letter case matters.
         */
        tags?: Array<string>;
    };
    /**
     * Part of the name of the store, of the name of the marketplace or of the marketplace_id, in any letter case.
     */
    searchText?: string;
    /**
     * Figure of the period by which the rows are sorted, null last in both directions; equal ones by storeId.
     */
    sortKey?: 'sales' | 'salesSplit' | 'forecastTarget' | 'budgetTarget' | 'orders' | 'units' | 'avOrderSize' | 'avOrderValue' | 'outOfStockPercentage' | 'pageViews' | 'conversions';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type SalesByChannelBucket = {
    /**
     * Start of the bucket: ISO 8601 with the offset in force.
     */
    startTime: string;
    sales: number | null;
    priorSales: number | null;
    /**
     * Orders; each counts in the bucket of the first of its lines in the period.
     */
    orders: string;
    /**
     * Orders in that bucket of the prior period.
     */
    priorOrders: string;
};

export type SalesByChannelRow = {
    /**
     * Name of the store.
     */
    store: string;
    /**
     * channelId of the store.
     */
    storeId: string;
    marketplace: {
        /**
         * Marketplace on which the store sells; primarymkt is the primary one.
         */
        market: string;
        /**
         * ISO 3166-1 alpha-3 code of the country.
         */
        countryCode: string;
    };
    /**
     * Currency of all amounts of the row, ISO 4217.
     */
    currency: string;
    sales: {
        value: number | null;
        priorPeriodValue: number | null;
    };
    orders: {
        /**
         * Orders with a line that is not canceled; before a channel's first order line the order items of the marketplace's traffic, as ordersBasis says. Vendors have none.
         */
        value: string;
        /**
         * Orders with a line that is not canceled; before a channel's first order line the order items of the marketplace's traffic, as ordersBasis says. Vendors have none.
         */
        priorPeriodValue: string;
    };
    ordersBasis: {
        /**
         * What orders counts: orders, orderItems where only traffic is known, or both, where the order lines begin within the period.
         */
        value: 'orders' | 'orderItems' | 'both';
        /**
         * What orders counts: orders, orderItems where only traffic is known, or both, where the order lines begin within the period.
         */
        priorPeriodValue: 'orders' | 'orderItems' | 'both';
    };
    avOrderValue: {
        value: number | null;
        priorPeriodValue: number | null;
    };
    units: {
        /**
         * Units sold; of vendors, ordered or shipped, by vendorRevenueType.
         */
        value: string;
        /**
         * Units sold; of vendors, ordered or shipped, by vendorRevenueType.
         */
        priorPeriodValue: string;
    };
    avOrderSize: {
        /**
         * units / orders, 0 without orders.
         */
        value: number;
        /**
         * units / orders, 0 without orders.
         */
        priorPeriodValue: number;
    };
    pageViews: {
        /**
         * Page views; of vendors, glance views.
         */
        value: string;
        /**
         * Page views; of vendors, glance views.
         */
        priorPeriodValue: string;
    };
    conversions: {
        /**
         * Units ordered / pageViews, in percent; 0 without page views, may exceed 100.
         */
        value: number;
        /**
         * Units ordered / pageViews, in percent; 0 without page views, may exceed 100.
         */
        priorPeriodValue: number;
    };
    salesSplit: number | null;
    forecastTarget: number | null;
    budgetTarget: number | null;
    adspendLimit: number | null;
    outOfStockPercentage: number | null;
    buyBoxSnapshot: {
        percentage: number | null;
        date: string | null;
    };
    /**
     * The worst of three marks, each from the figures of the row as they are shown. Sales in percent of budgetTarget, or of forecastTarget where there is no budget: warning below 95, critical below 80. Buy box percentage: warning below 80, critical below 60. outOfStockPercentage: warning from 10, critical from 20. A figure that is null and a target of 0 set no mark, so a store without known figures is good.
     */
    healthStatus: 'good' | 'warning' | 'critical';
    /**
     * Sales over time, if an interval is requested. Each is rounded by itself, so their sum may differ from sales by some of the smallest units where amounts are converted.
     */
    buckets?: Array<SalesByChannelBucket>;
};

export type ViewSalesByChannelAnswer = {
    rows: Array<SalesByChannelRow>;
    /**
     * Number of matching channels on all pages.
     */
    count: number;
};

export type CreateCustomerLifetimeValueReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * Length of a cohort: d day, w week from Monday, M month, Q quarter, y year, or the word. The first and the last cohort are clipped to the period.
         */
        interval?: 'd' | 'w' | 'M' | 'Q' | 'y' | 'day' | 'week' | 'month' | 'quarter' | 'year';
    };
};

export type Report = {
    /**
     * Identifier of the report.
     */
    reportId: string;
    /**
     * Type of the report.
     */
    reportType: 'customerLifetimeValue' | 'trafficAndConversion' | 'inventoryReplenishment' | 'cancellationsAndRefunds' | 'orderedRevenue' | 'shippedRevenue' | 'salesByProduct' | 'campaigns' | 'marketingByProduct' | 'channelProfitAndLoss' | 'repeatPurchase';
    /**
     * State of the report: started, then inProgress, then done or errored, which are final.
     */
    status: 'started' | 'inProgress' | 'done' | 'errored';
};

export type CreateTrafficAndConversionReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * One row per parent product, or one per SKU with the additional columns sku and brand.
         */
        view?: 'parents' | 'skus';
    };
};

export type CreateInventoryReplenishmentReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
};

export type CreateCancellationsAndRefundsReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * true includes tax in sales, false excludes it.
         */
        includeTax?: boolean;
    };
};

export type CreateOrderedRevenueReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
    };
};

export type CreateShippedRevenueReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * sourcing: the units that the vendor itself supplied; manufacturing: all units of the vendor's products.
         */
        view?: 'sourcing' | 'manufacturing';
    };
};

export type CreateSalesByProductReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * true includes tax in sales, false excludes it.
         */
        includeTax?: boolean;
        /**
         * true adds the products that were not sold in the period.
         */
        includeNoSales?: boolean;
        /**
         * false removes the products that are out of stock.
         */
        includeNoInventory?: boolean;
    };
};

export type CreateCampaignsReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
    };
};

export type CreateMarketingByProductReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
    };
};

export type CreateChannelProfitAndLossReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * Channels other than channelId, in the order of their columns, at most 20 different ones.
         */
        channelIds?: Array<string>;
        /**
         * Currency that amounts are converted to: an ISO 4217 code, in any letter case. Without it, amounts are in the currency of the channels, or in USD if they have several.
         */
        currentCurrency?: string;
        /**
         * true includes tax in sales, false excludes it.
         */
        includeTax?: boolean;
        /**
         * When true, cogs is less the cost of the units returned.
         */
        includeCogsRefunds?: boolean;
    };
};

export type CreateRepeatPurchaseReportRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Format of the file. Parquet files have the columns of the CSV, with types: dates, whole numbers, decimals and text; blank cells are null, and text is never escaped.
     */
    format?: 'csv' | 'parquet';
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * Start of the comparison period. Unix epoch time in whole seconds.
         */
        priorFromDate?: number;
        /**
         * End of the comparison period, inclusive. Unix epoch time in whole seconds.
         */
        priorToDate?: number;
        /**
         * IANA time zone of the calendar that divides the range, such as Europe/London.
         */
        timezone?: string;
        /**
         * true includes tax in sales, false excludes it.
         */
        includeTax?: boolean;
    };
};

export type ListedReport = {
    /**
     * Identifier of the report.
     */
    reportId: string;
    /**
     * Type of the report.
     */
    reportType: 'customerLifetimeValue' | 'trafficAndConversion' | 'inventoryReplenishment' | 'cancellationsAndRefunds' | 'orderedRevenue' | 'shippedRevenue' | 'salesByProduct' | 'campaigns' | 'marketingByProduct' | 'channelProfitAndLoss' | 'repeatPurchase';
    /**
     * State of the report: started, then inProgress, then done or errored, which are final.
     */
    status: 'started' | 'inProgress' | 'done' | 'errored';
    /**
     * Identifier of the channel.
     */
    channelId: string;
    /**
     * Identifier of its merchant.
     */
    merchantId: string;
    /**
     * When it was requested, in epoch seconds.
     */
    createdAt: number;
    /**
     * Name of its file.
     */
    fileName: string;
    /**
     * Why the report errored; only with that status.
     */
    error?: string;
};

export type ListReportsAnswer = {
    reports: Array<ListedReport>;
    /**
     * Number of reports on all pages together.
     */
    total: number;
};

export type ReadReportStatusAnswer = {
    /**
     * Identifier of the report.
     */
    reportId: string;
    /**
     * Type of the report.
     */
    reportType: 'customerLifetimeValue' | 'trafficAndConversion' | 'inventoryReplenishment' | 'cancellationsAndRefunds' | 'orderedRevenue' | 'shippedRevenue' | 'salesByProduct' | 'campaigns' | 'marketingByProduct' | 'channelProfitAndLoss' | 'repeatPurchase';
    /**
     * State of the report: started, then inProgress, then done or errored, which are final.
     */
    status: 'started' | 'inProgress' | 'done' | 'errored';
    /**
     * The address of the file, once the report is done; GET it without a key. The link is valid for an hour, as long as the key is valid and the caller has access to the channel, and every request returns a new one. Range requests are supported.
     */
    downloadUrl?: string;
    /**
     * Why the report errored; only with that status.
     */
    error?: string;
};

export type ListOrdersRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Start of the range, 30 days before its end by default. Unix epoch time in whole seconds.
     */
    fromDate?: number;
    /**
     * End of the range, inclusive, the time of the request by default. Unix epoch time in whole seconds.
     */
    toDate?: number;
    /**
     * The date that the range is of and that orders are sorted by: createdAt is PurchaseDate, updatedAt is LastUpdateDate.
     */
    dateField?: 'createdAt' | 'updatedAt';
    /**
     * Number of the one order that is wanted.
     */
    orderId?: string;
    /**
     * meta.key of the page before.
     */
    key?: string;
    /**
     * Orders of a page.
     */
    pageSize?: number;
};

export type Order = {
    /**
     * The seller; "" where it is not known.
     */
    SellerId: string;
    /**
     * The marketplace that the order was placed on; "" where it is not known.
     */
    MarketplaceId: string;
    /**
     * The marketplace's number of the order.
     */
    PlatformOrderId: string;
    BuyerInfo: {
        /**
         * The buyer's e-mail address, which is personal data; "" where it is not known.
         */
        BuyerEmail: string;
    };
    /**
     * Who ships it: AFN the marketplace, MFN the seller; "" where it is not known.
     */
    FulfillmentChannel: string;
    /**
     * Where it was sold; "" where it is not known.
     */
    SalesChannel: string;
    /**
     * Pending, PendingAvailability, Unshipped, PartiallyShipped, Shipped, InvoiceUnconfirmed, Canceled or Unfulfillable.
     */
    OrderStatus: string;
    /**
     * Type of the order; "" where it is not known.
     */
    OrderType: string;
    /**
     * Service level of the shipment; "" where it is not known.
     */
    ShipServiceLevel: string;
    /**
     * Category of that service level; "" where it is not known.
     */
    ShipmentServiceLevelCategory: string;
    /**
     * How it was paid; "" where it is not known.
     */
    PaymentMethod: string;
    /**
     * More about how it was paid; "" where it is not known.
     */
    PaymentMethodDetails: string;
    /**
     * Start of the time in which it is to be delivered, ISO 8601 in UTC such as 2024-01-15T09:30:00Z; "" where it is not known.
     */
    EarliestDeliveryDate: string;
    /**
     * Start of the time in which it is to be shipped, ISO 8601 in UTC such as 2024-01-15T09:30:00Z; "" where it is not known.
     */
    EarliestShipDate: string;
    /**
     * End of the time in which it is to be shipped, ISO 8601 in UTC such as 2024-01-15T09:30:00Z; "" where it is not known.
     */
    LatestShipDate: string;
    /**
     * End of the time in which it is to be delivered, ISO 8601 in UTC such as 2024-01-15T09:30:00Z; "" where it is not known.
     */
    LatestDeliveryDate: string;
    /**
     * When it was placed, ISO 8601 in UTC such as 2024-01-15T09:30:00Z.
     */
    PurchaseDate: string;
    /**
     * When it was updated last, ISO 8601 in UTC such as 2024-01-15T09:30:00Z; "" where it is not known.
     */
    LastUpdateDate: string;
    AutomatedShippingSettings: {
        /**
         * The text true or false; false where it is not known.
         */
        HasAutomatedShippingSettings: string;
        /**
         * Shipping method; "" where it is not known.
         */
        AutomatedShipMethodName: string;
        /**
         * Carrier; "" where it is not known.
         */
        AutomatedCarrierName: string;
    };
    /**
     * Units that are shipped; 0 where it is not known.
     */
    NumberOfItemsShipped: number;
    /**
     * Units that are not shipped; 0 where it is not known.
     */
    NumberOfItemsUnshipped: number;
    /**
     * Whether it has premium shipping; false where it is not known.
     */
    IsPremiumOrder: boolean;
    /**
     * Whether it is of the marketplace's members' programme; false where it is not known.
     */
    IsPrime: boolean;
    /**
     * Whether it has items that need an approval; false where it is not known.
     */
    HasRegulatedItems: boolean;
    /**
     * Whether it replaces another order; false where it is not known.
     */
    IsReplacementOrder: boolean;
    /**
     * Whether the marketplace sold it on for the seller; false where it is not known.
     */
    IsSoldByAB: boolean;
    /**
     * Whether it is picked up in a store; false where it is not known.
     */
    IsISPU: boolean;
    /**
     * Whether it is delivered to an access point; false where it is not known.
     */
    IsAccessPointOrder: boolean;
    /**
     * Whether the buyer is a business; false where it is not known.
     */
    IsBusinessOrder: boolean;
    /**
     * Whether it is shipped by global express; false where it is not known.
     */
    IsGlobalExpressEnabled: boolean;
    /**
     * Where it is shipped from.
     */
    DefaultShipFromLocationAddress: {
        /**
         * State or region; "" where it is not known.
         */
        StateOrRegion: string;
        /**
         * Postal code; "" where it is not known.
         */
        PostalCode: string;
        /**
         * City; "" where it is not known.
         */
        City: string;
        /**
         * Country; "" where it is not known.
         */
        CountryCode: string;
    };
    /**
     * Where it is shipped to.
     */
    ShippingAddress: {
        /**
         * State or region; "" where it is not known.
         */
        StateOrRegion: string;
        /**
         * Postal code; "" where it is not known.
         */
        PostalCode: string;
        /**
         * City; "" where it is not known.
         */
        City: string;
        /**
         * Country; "" where it is not known.
         */
        CountryCode: string;
    };
    OrderTotal: {
        /**
         * What the buyer pays; 0 where it is not known.
         */
        Amount: number;
        /**
         * Its currency, ISO 4217; "" where it is not known.
         */
        CurrencyCode: string;
    };
};

export type ListOrdersAnswer = {
    meta: {
        /**
         * Asks for the next page; absent on the last one.
         */
        key?: string;
    };
    data: Array<Order>;
};

export type DirectCost = {
    /**
     * The seller's SKU, as the channel's facts spell it. An unknown one is kept.
     */
    sellerSku: string;
    /**
     * Cost of the goods of one unit, in cogsCurrency, with at most six decimal places.
     */
    cogs: number;
    /**
     * ISO 4217 code of three letters, in any letter case.
     */
    cogsCurrency: string;
    /**
     * Cost of shipping one unit that the seller ships, in shippingCostCurrency, with at most six decimal places. 0 when it is not given.
     */
    shippingCost?: number;
    /**
     * ISO 4217 code of three letters, in any letter case. When it is not given, that of cogsCurrency.
     */
    shippingCostCurrency?: string;
};

export type SaveDirectCostsRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * The costs hold from the UTC date of this instant on. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * A row for each SKU.
     */
    directCosts: Array<DirectCost>;
};

export type SaveDirectCostsAnswer = {
    /**
     * Identifier of the job.
     */
    jobId: string;
};

export type ReadDirectCostsJobStatusAnswer = {
    /**
     * How far the job is; COMPLETED and FAILED are final.
     */
    jobStatus: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
};

export type ReadProductProfitAndLossRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * true includes tax in sales, false excludes it.
         */
        includeTax?: boolean;
        /**
         * When true, cogs is less the cost of the units returned.
         */
        includeCogsRefunds?: boolean;
        /**
         * Restricts the rows to these SKUs, at most 50 different ones. Unknown ones are ignored; an empty list does not restrict.
         */
        sellerSkus?: Array<string>;
        /**
         * Number of the page, counted from 0.
         */
        pageIndex?: number;
        /**
         * Rows of a page.
         */
        pageSize?: number;
    };
};

export type ProductProfitAndLoss = {
    /**
     * The seller's SKU.
     */
    sellerSku: string;
    /**
     * The product id of the platform, "" when it is not known.
     */
    productSku: string;
    /**
     * The title, "" when it is not known.
     */
    title: string;
    /**
     * totalRevenue - totalExpenses.
     */
    totalProfit: number;
    /**
     * sales + refunds + promotions + reimbursements + otherIncome.
     */
    totalRevenue: number;
    /**
     * advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs + otherExpenses.
     */
    totalExpenses: number;
    /**
     * Price of the items sold, with tax by includeTax.
     */
    sales: number;
    /**
     * What was refunded, with tax by includeTax; negative as a rule.
     */
    refunds: number;
    /**
     * Promotions and coupons that the seller paid for; negative as a rule.
     */
    promotions: number;
    /**
     * What the marketplace made good, such as lost and damaged stock.
     */
    reimbursements: number;
    /**
     * Shipping and gift wrap that buyers paid for, liquidations, other credits.
     */
    otherIncome: number;
    /**
     * What advertising cost. Positive where it is a cost, negative where more came back.
     */
    advertisingSpend: number;
    /**
     * Referral, closing, digital service and subscription fees. Positive where it is a cost, negative where more came back.
     */
    sellingFees: number;
    /**
     * Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped. Positive where it is a cost, negative where more came back.
     */
    shippingFees: number;
    /**
     * What refunds and returns cost besides the refund itself. Positive where it is a cost, negative where more came back.
     */
    refundsAndReturnsOverheads: number;
    /**
     * What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit returned. Positive where it is a cost, negative where more came back.
     */
    cogs: number;
    /**
     * Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost, negative where more came back.
     */
    otherExpenses: number;
};

export type ReadProductProfitAndLossAnswer = {
    productEvents: Array<ProductProfitAndLoss>;
    /**
     * Rows on all pages together.
     */
    count: number;
};

export type ReadStoreProfitAndLossRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    reportOptions: {
        /**
         * Start of the reporting period. Unix epoch time in whole seconds.
         */
        fromDate: number;
        /**
         * End of the reporting period, inclusive. Unix epoch time in whole seconds.
         */
        toDate: number;
        /**
         * IANA time zone whose dates unit costs and rates are looked up by, such as Europe/London.
         */
        timezone?: string;
        /**
         * true includes tax in sales, false excludes it.
         */
        includeTax?: boolean;
        /**
         * When true, cogs is less the cost of the units returned.
         */
        includeCogsRefunds?: boolean;
    };
};

export type StoreProfitAndLoss = {
    /**
     * sales + refunds + promotions + reimbursements + otherIncome.
     */
    totalRevenue: number;
    /**
     * advertisingSpend + sellingFees + shippingFees + refundsAndReturnsOverheads + cogs + otherExpenses.
     */
    totalExpenses: number;
    /**
     * Price of the items sold, with tax by includeTax.
     */
    sales: number;
    /**
     * What was refunded, with tax by includeTax; negative as a rule.
     */
    refunds: number;
    /**
     * Promotions and coupons that the seller paid for; negative as a rule.
     */
    promotions: number;
    /**
     * What the marketplace made good, such as lost and damaged stock.
     */
    reimbursements: number;
    /**
     * Shipping and gift wrap that buyers paid for, liquidations, other credits.
     */
    otherIncome: number;
    /**
     * What advertising cost. Positive where it is a cost, negative where more came back.
     */
    advertisingSpend: number;
    /**
     * Referral, closing, digital service and subscription fees. Positive where it is a cost, negative where more came back.
     */
    sellingFees: number;
    /**
     * Fulfilment fees, labels, and what it costs to ship a unit for each that the seller shipped. Positive where it is a cost, negative where more came back.
     */
    shippingFees: number;
    /**
     * What refunds and returns cost besides the refund itself. Positive where it is a cost, negative where more came back.
     */
    refundsAndReturnsOverheads: number;
    /**
     * What a unit costs for each unit sold; by includeCogsRefunds less the same for each unit returned. Positive where it is a cost, negative where more came back.
     */
    cogs: number;
    /**
     * Storage, inbound, removals and all that is listed nowhere else. Positive where it is a cost, negative where more came back.
     */
    otherExpenses: number;
};

export type ListUnknownCodesAnswer = {
    codes: Array<UnknownCode>;
};

export type SaveCodeRequest = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * The source of the amounts: the kind of financial document.
     */
    source: 'settlement' | 'transactions' | 'financialEvents' | 'economics' | 'reimbursements' | 'returns';
    /**
     * The code, as the list of codes has it.
     */
    code: string;
    /**
     * The line of the profit and loss; balance for amounts that only move money; sales.tax or refunds.tax for tax.
     */
    line?: 'sales' | 'promotions' | 'refunds' | 'reimbursements' | 'otherIncome' | 'advertisingSpend' | 'sellingFees' | 'shippingFees' | 'refundsAndReturnsOverheads' | 'cogs' | 'otherExpenses' | 'balance' | 'sales.tax' | 'refunds.tax';
};

export type SaveCodeAnswer = {
    /**
     * The source of the amounts: the kind of financial document.
     */
    source: 'settlement' | 'transactions' | 'financialEvents' | 'economics' | 'reimbursements' | 'returns';
    /**
     * The code.
     */
    code: string;
    /**
     * Its line; null if it goes by its sign.
     */
    line: 'sales' | 'promotions' | 'refunds' | 'reimbursements' | 'otherIncome' | 'advertisingSpend' | 'sellingFees' | 'shippingFees' | 'refundsAndReturnsOverheads' | 'cogs' | 'otherExpenses' | 'balance' | 'sales.tax' | 'refunds.tax' | null;
};

export type AdGroup = {
    /**
     * The channel.
     */
    channel_id: string;
    /**
     * The campaign.
     */
    campaign_id: string;
    /**
     * The ad group.
     */
    ad_group_id: string;
    /**
     * SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP, GOOGLE or META.
     */
    ad_type: string;
    /**
     * Its campaign's name.
     */
    campaign_name: string;
    /**
     * Its own name.
     */
    ad_group_name: string;
    /**
     * active, paused or archived; "" when it is not known.
     */
    ad_group_status: string;
    /**
     * cpc per click or vcpm per thousand views.
     */
    cost_type: string;
    /**
     * The bid where none is set, converted at the rate of the last day of the range.
     */
    default_bid: number;
    /**
     * Times the ads were shown.
     */
    impressions: number;
    /**
     * Clicks on the ads.
     */
    clicks: number;
    /**
     * Spend.
     */
    cost: number;
    /**
     * Sales attributed to the ads.
     */
    attributed_sales: number;
    /**
     * Attributed sales of the advertised product itself.
     */
    attributed_sales_same_sku: number;
    /**
     * Orders attributed to the ads.
     */
    attributed_conversions: number;
    /**
     * Attributed orders of the advertised product itself.
     */
    attributed_conversions_same_sku: number;
    /**
     * Units attributed to the ads.
     */
    attributed_units_ordered: number;
    /**
     * Attributed units of the advertised product itself.
     */
    attributed_units_ordered_same_sku: number;
    /**
     * Attributed orders of customers new to the brand; Sponsored Products have none.
     */
    attributed_orders_ntb: number;
    /**
     * Attributed units of customers new to the brand.
     */
    attributed_units_ordered_ntb: number;
    /**
     * Attributed sales to customers new to the brand.
     */
    attributed_sales_ntb: number;
    /**
     * attributed_orders_ntb / attributed_conversions, in percent.
     */
    attributed_orders_ntb_percentage: number;
    /**
     * attributed_units_ordered_ntb / attributed_units_ordered, in percent.
     */
    attributed_units_ordered_ntb_percentage: number;
    /**
     * attributed_sales_ntb / attributed_sales, in percent.
     */
    attributed_sales_ntb_percentage: number;
    /**
     * Views of product pages after a click.
     */
    attributed_detail_page_views_clicks: number;
    /**
     * cost / attributed_sales, in percent.
     */
    acos: number;
    /**
     * clicks / impressions, in percent.
     */
    click_through_rate: number;
    /**
     * cost / clicks.
     */
    cost_per_click: number;
    /**
     * attributed_conversions / clicks, in percent.
     */
    conversion_rate: number;
    /**
     * attributed_sales / cost.
     */
    roas: number;
};

export type Pagination = {
    /**
     * Number of this page, counted from 0.
     */
    pageIndex: number;
    /**
     * Rows per page.
     */
    pageSize: number;
    /**
     * Number of matching rows on all pages.
     */
    count: number;
};

export type ListAdGroupsAnswer = {
    data: Array<AdGroup>;
    pagination: Pagination;
    meta: {
        /**
         * Currency of all amounts, ISO 4217.
         */
        currency: string;
    };
};

export type Campaign = {
    /**
     * The channel.
     */
    channel_id: string;
    /**
     * The campaign.
     */
    campaign_id: string;
    /**
     * SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP, GOOGLE or META.
     */
    ad_type: string;
    /**
     * Its name.
     */
    campaign_name: string;
    /**
     * active, paused or archived; "" when it is not known.
     */
    campaign_status: string;
    /**
     * daily or lifetime.
     */
    budget_type: string;
    /**
     * First date, YYYY-MM-DD.
     */
    start_date: string;
    /**
     * Last date, YYYY-MM-DD; "" when it is open-ended.
     */
    end_date: string;
    /**
     * auto, manual or "".
     */
    targeting_type: string;
    /**
     * legacyForSales, autoForSales, manual, ruleBased or "".
     */
    bidding_strategy: string;
    /**
     * cpc per click or vcpm per thousand views.
     */
    cost_type: string;
    /**
     * The budget, converted at the rate of the last day of the range.
     */
    budget: number;
    /**
     * Times the ads were shown.
     */
    impressions: number;
    /**
     * Clicks on the ads.
     */
    clicks: number;
    /**
     * Spend.
     */
    cost: number;
    /**
     * Sales attributed to the ads.
     */
    attributed_sales: number;
    /**
     * Attributed sales of the advertised product itself.
     */
    attributed_sales_same_sku: number;
    /**
     * Orders attributed to the ads.
     */
    attributed_conversions: number;
    /**
     * Attributed orders of the advertised product itself.
     */
    attributed_conversions_same_sku: number;
    /**
     * Units attributed to the ads.
     */
    attributed_units_ordered: number;
    /**
     * Attributed units of the advertised product itself.
     */
    attributed_units_ordered_same_sku: number;
    /**
     * Attributed orders of customers new to the brand; Sponsored Products have none.
     */
    attributed_orders_ntb: number;
    /**
     * Attributed units of customers new to the brand.
     */
    attributed_units_ordered_ntb: number;
    /**
     * Attributed sales to customers new to the brand.
     */
    attributed_sales_ntb: number;
    /**
     * attributed_orders_ntb / attributed_conversions, in percent.
     */
    attributed_orders_ntb_percentage: number;
    /**
     * attributed_units_ordered_ntb / attributed_units_ordered, in percent.
     */
    attributed_units_ordered_ntb_percentage: number;
    /**
     * attributed_sales_ntb / attributed_sales, in percent.
     */
    attributed_sales_ntb_percentage: number;
    /**
     * Views of product pages after a click.
     */
    attributed_detail_page_views_clicks: number;
    /**
     * cost / attributed_sales, in percent.
     */
    acos: number;
    /**
     * clicks / impressions, in percent.
     */
    click_through_rate: number;
    /**
     * cost / clicks.
     */
    cost_per_click: number;
    /**
     * cost / attributed_conversions.
     */
    cost_per_acquisition: number;
    /**
     * attributed_conversions / clicks, in percent.
     */
    conversion_rate: number;
    /**
     * attributed_sales / cost.
     */
    roas: number;
};

export type ListCampaignsAnswer = {
    data: Array<Campaign>;
    pagination: Pagination;
    meta: {
        /**
         * Currency of all amounts, ISO 4217.
         */
        currency: string;
    };
};

export type Keyword = {
    /**
     * The channel.
     */
    channel_id: string;
    /**
     * The campaign.
     */
    campaign_id: string;
    /**
     * The ad group.
     */
    ad_group_id: string;
    /**
     * The keyword, or the target.
     */
    keyword_id: string;
    /**
     * SP Sponsored Products, SB Sponsored Brands, SD Sponsored Display, ST Sponsored TV, DSP, GOOGLE or META.
     */
    ad_type: string;
    /**
     * Its campaign's name.
     */
    campaign_name: string;
    /**
     * Its ad group's name.
     */
    ad_group_name: string;
    /**
     * The text of the keyword, or the expression of the target.
     */
    keyword_text: string;
    /**
     * broad, phrase, exact or theme; targetingExpression for products and categories, and targetingExpressionPredefined for what an automatic campaign targets; "" when it is not known.
     */
    match_type: string;
    /**
     * active, paused or archived; "" when it is not known.
     */
    keyword_status: string;
    /**
     * The bid, converted at the rate of the last day of the range.
     */
    bid: number;
    /**
     * cpc per click or vcpm per thousand views.
     */
    cost_type: string;
    /**
     * Times the ads were shown.
     */
    impressions: number;
    /**
     * Clicks on the ads.
     */
    clicks: number;
    /**
     * Spend.
     */
    cost: number;
    /**
     * Sales attributed to the ads.
     */
    attributed_sales: number;
    /**
     * Attributed sales of the advertised product itself.
     */
    attributed_sales_same_sku: number;
    /**
     * Orders attributed to the ads.
     */
    attributed_conversions: number;
    /**
     * Attributed orders of the advertised product itself.
     */
    attributed_conversions_same_sku: number;
    /**
     * Units attributed to the ads.
     */
    attributed_units_ordered: number;
    /**
     * Attributed units of the advertised product itself.
     */
    attributed_units_ordered_same_sku: number;
    /**
     * Attributed orders of customers new to the brand; Sponsored Products have none.
     */
    attributed_orders_ntb: number;
    /**
     * Attributed units of customers new to the brand.
     */
    attributed_units_ordered_ntb: number;
    /**
     * Attributed sales to customers new to the brand.
     */
    attributed_sales_ntb: number;
    /**
     * attributed_orders_ntb / attributed_conversions, in percent.
     */
    attributed_orders_ntb_percentage: number;
    /**
     * attributed_units_ordered_ntb / attributed_units_ordered, in percent.
     */
    attributed_units_ordered_ntb_percentage: number;
    /**
     * attributed_sales_ntb / attributed_sales, in percent.
     */
    attributed_sales_ntb_percentage: number;
    /**
     * Views of product pages after a click.
     */
    attributed_detail_page_views_clicks: number;
    /**
     * cost / attributed_sales, in percent.
     */
    acos: number;
    /**
     * clicks / impressions, in percent.
     */
    click_through_rate: number;
    /**
     * cost / clicks.
     */
    cost_per_click: number;
    /**
     * cost / attributed_conversions.
     */
    cost_per_acquisition: number;
    /**
     * attributed_conversions / clicks, in percent.
     */
    conversion_rate: number;
    /**
     * attributed_sales / cost.
     */
    roas: number;
};

export type ListKeywordsAnswer = {
    data: Array<Keyword>;
    pagination: Pagination;
    meta: {
        /**
         * Currency of all amounts, ISO 4217.
         */
        currency: string;
    };
};

export type AdvertisedProduct = {
    /**
     * The channel.
     */
    channel_id: string;
    /**
     * The platform's product id; the seller's SKU where the figures have no product id.
     */
    product_sku: string;
    /**
     * Its title, "" when it is not known.
     */
    product_title: string;
    /**
     * Address of its picture, "" when it is not known.
     */
    image_url: string;
    /**
     * Address of its page, "" when it is not known.
     */
    link_url: string;
    /**
     * Times the ads were shown.
     */
    impressions: number;
    /**
     * Clicks on the ads.
     */
    clicks: number;
    /**
     * Spend.
     */
    cost: number;
    /**
     * Sales attributed to the ads.
     */
    attributed_sales: number;
    /**
     * Attributed sales of the advertised product itself.
     */
    attributed_sales_same_sku: number;
    /**
     * Orders attributed to the ads.
     */
    attributed_conversions: number;
    /**
     * Attributed orders of the advertised product itself.
     */
    attributed_conversions_same_sku: number;
    /**
     * Units attributed to the ads.
     */
    attributed_units_ordered: number;
    /**
     * Attributed units of the advertised product itself.
     */
    attributed_units_ordered_same_sku: number;
    /**
     * cost / attributed_sales, in percent.
     */
    acos: number;
    /**
     * clicks / impressions, in percent.
     */
    click_through_rate: number;
    /**
     * cost / clicks.
     */
    cost_per_click: number;
    /**
     * attributed_conversions / clicks, in percent.
     */
    conversion_rate: number;
    /**
     * attributed_sales / cost.
     */
    roas: number;
};

export type ListProductsAnswer = {
    data: Array<AdvertisedProduct>;
    pagination: Pagination;
    meta: {
        /**
         * Currency of all amounts, ISO 4217.
         */
        currency: string;
    };
};

export type TargetBucket = {
    /**
     * Start of the bucket: ISO 8601 with the offset in force.
     */
    startTime: string;
    /**
     * Last second of the bucket.
     */
    endTime: string;
    /**
     * Start of the bucket, epoch seconds.
     */
    startTimeEpoch: number;
    /**
     * Last second of the bucket, epoch seconds.
     */
    endTimeEpoch: number;
    salesBudget: number | null;
    salesForecast: number | null;
    adSpendBudget: number | null;
};

export type TargetTotals = {
    salesBudget: number | null;
    salesForecast: number | null;
    adSpendBudget: number | null;
};

export type ReadTargetsAnswer = {
    data: Array<TargetBucket>;
    totals: TargetTotals;
    meta: {
        /**
         * The time zone that was asked for.
         */
        timezone: string;
        /**
         * The channel's currency, ISO 4217, in which the targets are.
         */
        currency: string;
    };
};

export type SqpMetrics = {
    /**
     * How often the queries were searched for.
     */
    searchQueryVolume: number;
    /**
     * Times that any product was shown for the queries.
     */
    totalImpressions: number;
    /**
     * Times that this product was shown.
     */
    impressions: number;
    /**
     * impressions / totalImpressions, in percent; 0 without a denominator.
     */
    impressionShare: number;
    /**
     * Clicks on any product.
     */
    totalClicks: number;
    /**
     * Clicks on this product.
     */
    clicks: number;
    /**
     * clicks / totalClicks, in percent; 0 without a denominator.
     */
    clickShare: number;
    /**
     * totalClicks / totalImpressions, in percent; 0 without a denominator.
     */
    totalCtr: number;
    /**
     * clicks / impressions, in percent; 0 without a denominator.
     */
    ctr: number;
    /**
     * Times that any product was put into a cart.
     */
    totalCartAdds: number;
    /**
     * Times that this product was put into a cart.
     */
    cartAdds: number;
    /**
     * cartAdds / clicks, in percent; 0 without a denominator.
     */
    atcRate: number;
    /**
     * Purchases of any product.
     */
    totalPurchases: number;
    /**
     * Purchases of this product.
     */
    purchases: number;
    /**
     * purchases / totalPurchases, in percent; 0 without a denominator.
     */
    purchaseShare: number;
    /**
     * totalPurchases / totalClicks, in percent; 0 without a denominator.
     */
    totalCvr: number;
    /**
     * purchases / clicks, in percent; 0 without a denominator.
     */
    cvr: number;
    /**
     * purchases of each query and month x the product's median purchase price; where that is not known the market's, else the product's median click price.
     */
    currentRevenue: number;
    /**
     * totalPurchases of each query and month x the market's median purchase price.
     */
    totalOpportunity: number;
    /**
     * totalOpportunity - currentRevenue, at least 0.
     */
    opportunity: number;
    /**
     * Currency of the amounts: that of meta.
     */
    currencyCode: string;
};

export type SqpRow = {
    /**
     * The product.
     */
    asin: string;
    current: SqpMetrics;
    prior: SqpMetrics;
};

export type ListSearchQueryPerformanceAnswer = {
    data: Array<SqpRow>;
    pagination: Pagination;
    meta: {
        /**
         * Currency of all amounts, ISO 4217.
         */
        currency: string;
        dateRange: {
            /**
             * First date of the period, YYYY-MM-DD.
             */
            fromDate: string;
            /**
             * Last date of the period, YYYY-MM-DD.
             */
            toDate: string;
            /**
             * First date of the comparison period, YYYY-MM-DD.
             */
            priorFromDate: string;
            /**
             * Last date of the comparison period, YYYY-MM-DD.
             */
            priorToDate: string;
        };
    };
};

export type CreateWebhookRequest = {
    /**
     * Where events are sent to: an https address that the internet can reach.
     */
    url: string;
    /**
     * The events that the webhook hears of. `report.finished`: A CSV report is done; its file can be downloaded. `report.failed`: A CSV report failed for good. `import.finished`: A document or rows were imported. `import.refused`: An import was refused or failed; no fact has changed. `data.overdue`: A daily dataset of a channel misses two days or more. `target.at_risk`: Sales of the month are below 95 % of their budget so far. `schedule.finished`: A run of a schedule is done; its file can be downloaded. `schedule.failed`: A run of a schedule failed for good. `webhook.disabled`: A webhook of the organisation was disabled after failing for long.
     */
    events: Array<'report.finished' | 'report.failed' | 'import.finished' | 'import.refused' | 'data.overdue' | 'target.at_risk' | 'schedule.finished' | 'schedule.failed' | 'webhook.disabled'>;
    /**
     * What the webhook is for; shown beside it.
     */
    description?: string;
};

export type CreateWebhookAnswer = {
    webhookId: string;
    /**
     * The secret that deliveries are signed with. No other answer contains it.
     */
    secret: string;
};

export type Webhook = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
    /**
     * Where events are sent to.
     */
    url: string;
    /**
     * What the webhook is for.
     */
    description: string;
    /**
     * The events that it hears of.
     */
    events: Array<string>;
    /**
     * enabled, paused by a user, or disabled by the service because deliveries failed for long.
     */
    state: 'enabled' | 'paused' | 'disabled';
    /**
     * Why it is disabled.
     */
    reason: string | null;
    failingSince: number | null;
    /**
     * E-mail address of its user: it hears only of channels that this user reaches.
     */
    createdBy: string;
    /**
     * When it was created. Unix epoch time in whole seconds.
     */
    createdAt: number;
    /**
     * When it was last changed. Unix epoch time in whole seconds.
     */
    updatedAt: number;
    previousSecretUntil: number | null;
};

export type ListWebhooksAnswer = {
    webhooks: Array<Webhook>;
    /**
     * Number of webhooks on all pages together.
     */
    total: number;
};

export type ChangeWebhookRequest = {
    /**
     * Where events are sent to: an https address that the internet can reach.
     */
    url?: string;
    /**
     * The events that the webhook hears of. `report.finished`: A CSV report is done; its file can be downloaded. `report.failed`: A CSV report failed for good. `import.finished`: A document or rows were imported. `import.refused`: An import was refused or failed; no fact has changed. `data.overdue`: A daily dataset of a channel misses two days or more. `target.at_risk`: Sales of the month are below 95 % of their budget so far. `schedule.finished`: A run of a schedule is done; its file can be downloaded. `schedule.failed`: A run of a schedule failed for good. `webhook.disabled`: A webhook of the organisation was disabled after failing for long.
     */
    events?: Array<'report.finished' | 'report.failed' | 'import.finished' | 'import.refused' | 'data.overdue' | 'target.at_risk' | 'schedule.finished' | 'schedule.failed' | 'webhook.disabled'>;
    /**
     * What the webhook is for; shown beside it.
     */
    description?: string;
    /**
     * paused stops it; enabled starts it again, also after it was disabled.
     */
    state?: 'enabled' | 'paused';
};

export type WebhookDelivery = {
    /**
     * Identifier of the delivery.
     */
    deliveryId: string;
    /**
     * The header webhook-id: the same for all attempts and replays of an event.
     */
    messageId: string;
    /**
     * The event.
     */
    event: string;
    /**
     * The channel that it is about.
     */
    channelId: string;
    /**
     * The JSON that is sent.
     */
    body: string;
    /**
     * waiting, delivered, failed for good, or dropped because the webhook may not hear of it any more.
     */
    state: 'waiting' | 'delivered' | 'failed' | 'dropped';
    /**
     * Attempts so far.
     */
    attempts: number;
    nextAt: number | null;
    /**
     * The status of the last answer.
     */
    status: number | null;
    /**
     * Why the last attempt failed.
     */
    error: string | null;
    /**
     * When the event happened or was replayed. Unix epoch time in whole seconds.
     */
    createdAt: number;
    finishedAt: number | null;
};

export type ListWebhookDeliveriesAnswer = {
    deliveries: Array<WebhookDelivery>;
    /**
     * Number of deliveries on all pages together.
     */
    total: number;
};

export type ReplayWebhookDeliveryAnswer = {
    /**
     * Identifier of the delivery.
     */
    deliveryId: string;
};

export type RotateWebhookSecretRequest = {
    /**
     * How long the previous secret signs too; 0 ends it at once.
     */
    graceSeconds?: number;
};

export type RotateWebhookSecretAnswer = {
    /**
     * The secret that deliveries are signed with. No other answer contains it.
     */
    secret: string;
    /**
     * Until when deliveries are signed with the previous secret too. Unix epoch time in whole seconds.
     */
    previousSecretUntil: number;
};

export type TestWebhookAnswer = {
    /**
     * Identifier of the delivery.
     */
    deliveryId: string;
};

export type CreateScheduleRequest = {
    /**
     * What the schedule is for.
     */
    name: string;
    /**
     * When it is due, as five fields: minute, hour, day of the month, month, day of the week. A local time that a change of clocks skips is due at the end of the gap; one that comes twice is due the first time. The times are at least an hour apart.
     */
    cron: string;
    /**
     * IANA time zone of the times and of the days of the period.
     */
    timezone: string;
    /**
     * The operation to run, by its name in the description of the interface: one that creates a report, or one whose answer is rows.
     */
    operation: string;
    /**
     * Its parameters, without those that the period sets.
     */
    parameters: {
        [key: string]: unknown;
    };
    /**
     * Sets the parameters fromDate, toDate, priorFromDate, priorToDate and timezone that the operation takes, for each run anew. `yesterday`: the day before. `last7Days`: the seven days before. `last30Days`: the thirty days before. `last90Days`: the ninety days before. `lastWeek`: the calendar week before, from Monday. `lastMonth`: the calendar month before. `monthToDate`: the month of the day before, up to that day. `yearToDate`: the year of the day before, up to that day.
     */
    period?: 'yesterday' | 'last7Days' | 'last30Days' | 'last90Days' | 'lastWeek' | 'lastMonth' | 'monthToDate' | 'yearToDate';
    /**
     * The file is sent to these addresses too, if the operator has set up e-mail. Those of strangers are asked to confirm at first. E-mails of a day are limited.
     */
    emails?: Array<string>;
};

export type Schedule = {
    /**
     * Identifier of the schedule.
     */
    scheduleId: string;
    /**
     * What it is for.
     */
    name: string;
    /**
     * When it is due.
     */
    cron: string;
    /**
     * The time zone of its times and days.
     */
    timezone: string;
    /**
     * The operation that it runs.
     */
    operation: string;
    /**
     * Its parameters.
     */
    parameters: {
        [key: string]: unknown;
    };
    /**
     * The period of each run.
     */
    period: string | null;
    /**
     * Where its files are sent to.
     */
    emails: Array<string>;
    /**
     * The same addresses, and whether files go there.
     */
    recipients: Array<{
        /**
         * The address.
         */
        email: string;
        /**
         * `member`: of a user of the organisation. `allowed`: of a domain that the operator allows. `confirmed`: its owner has confirmed. `unconfirmed`: its owner was asked to confirm; no file goes there until then. `unsubscribed`: its owner wants no e-mails of the organisation.
         */
        state: 'member' | 'allowed' | 'confirmed' | 'unconfirmed' | 'unsubscribed';
    }>;
    /**
     * enabled, paused by a user, or disabled by the service, which says why.
     */
    state: 'enabled' | 'paused' | 'disabled';
    /**
     * Why it is disabled.
     */
    reason: string | null;
    /**
     * The next 5 times; none while it is not enabled.
     */
    nextRuns: Array<number>;
    /**
     * E-mail address of its user: it reads what this user may read.
     */
    createdBy: string;
    /**
     * When it was created. Unix epoch time in whole seconds.
     */
    createdAt: number;
    /**
     * When it was last changed. Unix epoch time in whole seconds.
     */
    updatedAt: number;
};

export type ListSchedulesAnswer = {
    schedules: Array<Schedule>;
    /**
     * Number of schedules on all pages together.
     */
    total: number;
};

export type ChangeScheduleRequest = {
    /**
     * What the schedule is for.
     */
    name?: string;
    /**
     * When it is due, as five fields: minute, hour, day of the month, month, day of the week. A local time that a change of clocks skips is due at the end of the gap; one that comes twice is due the first time. The times are at least an hour apart.
     */
    cron?: string;
    /**
     * IANA time zone of the times and of the days of the period.
     */
    timezone?: string;
    /**
     * Its parameters, without those that the period sets.
     */
    parameters?: {
        [key: string]: unknown;
    };
    /**
     * The period of each run; null for none.
     */
    period?: 'yesterday' | 'last7Days' | 'last30Days' | 'last90Days' | 'lastWeek' | 'lastMonth' | 'monthToDate' | 'yearToDate' | null;
    /**
     * The file is sent to these addresses too, if the operator has set up e-mail. Those of strangers are asked to confirm at first. E-mails of a day are limited.
     */
    emails?: Array<string>;
    /**
     * paused stops it; enabled starts it again, also after it was disabled.
     */
    state?: 'enabled' | 'paused';
};

export type RunScheduleAnswer = {
    /**
     * Identifier of the run.
     */
    runId: string;
};

export type ScheduleRun = {
    /**
     * Identifier of the run.
     */
    runId: string;
    /**
     * When it was due. Unix epoch time in whole seconds.
     */
    dueAt: number;
    /**
     * waiting, running, done, or failed for good.
     */
    state: 'waiting' | 'running' | 'done' | 'failed';
    /**
     * The address of its file for an hour; GET it without a key.
     */
    downloadUrl: string | null;
    /**
     * Why it failed.
     */
    error: string | null;
    mailedAt: number | null;
    /**
     * Why its file was not sent by e-mail.
     */
    mailError: string | null;
    finishedAt: number | null;
};

export type ListScheduleRunsAnswer = {
    runs: Array<ScheduleRun>;
    /**
     * Number of runs on all pages together.
     */
    total: number;
};

export type ListTagsInput = {
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Channels per page.
     */
    pageSize?: number;
};

export type ReadChannelTagsInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
};

export type ReadLineageInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * The dataset.
     */
    dataset: 'orders' | 'orderLines' | 'traffic' | 'campaignDays' | 'adGroupDays' | 'keywordDays' | 'adProductDays' | 'vendorSales' | 'vendorMargins' | 'targets' | 'searchQueries' | 'financeEvents' | 'inventory';
    /**
     * The date, in the channel's time zone.
     */
    date: string;
    /**
     * Currency of which the exchange rates are answered.
     */
    currency?: string;
};

export type ListCustomGroupsInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type ReadCustomGroupInput = {
    /**
     * Identifier of the group: an integer, or its digits.
     */
    id: number | string;
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId?: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId?: string;
};

export type ChangeCustomGroupInput = {
    /**
     * Identifier of the group: an integer, or its digits.
     */
    id: number | string;
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Name of the group.
     */
    groupName?: string;
    /**
     * Products to be added, after those that are there.
     */
    addProducts?: Array<GroupProduct>;
    /**
     * Products to be removed.
     */
    removeProducts?: Array<GroupProduct>;
    /**
     * Brands to be added, after those that are there.
     */
    addBrands?: Array<string>;
    /**
     * Brands to be removed.
     */
    removeBrands?: Array<string>;
};

export type DeleteCustomGroupInput = {
    /**
     * Identifier of the group: an integer, or its digits.
     */
    id: number | string;
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId?: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId?: string;
};

export type ListReportsInput = {
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type ReadReportStatusInput = {
    /**
     * Identifier of the report, as its creation answered it.
     */
    reportId: string;
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId?: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId?: string;
};

export type ReadDirectCostsJobStatusInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Identifier of the job, as POST /profitability/directCosts answered it.
     */
    jobId: string;
};

export type ListUnknownCodesInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Start of the reporting period. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * End of the reporting period, inclusive. Unix epoch time in whole seconds.
     */
    toDate: number;
};

export type ListAdGroupsInput = {
    /**
     * Channels with advertising, as POST /channels lists them: 1 to 5.
     */
    channelId: Array<string>;
    /**
     * Start of the range, 30 days before now when not given. Unix epoch time in whole seconds.
     */
    fromDate?: number;
    /**
     * End of the range, inclusive, now when not given; at most 6 calendar months after its start. Unix epoch time in whole seconds.
     */
    toDate?: number;
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currency?: string;
    /**
     * Column that the rows are sorted by.
     */
    sortKey?: 'channel_id' | 'campaign_id' | 'ad_group_id' | 'ad_type' | 'campaign_name' | 'ad_group_name' | 'ad_group_status' | 'cost_type' | 'default_bid' | 'impressions' | 'clicks' | 'cost' | 'attributed_sales' | 'attributed_sales_same_sku' | 'attributed_conversions' | 'attributed_conversions_same_sku' | 'attributed_units_ordered' | 'attributed_units_ordered_same_sku' | 'attributed_orders_ntb' | 'attributed_units_ordered_ntb' | 'attributed_sales_ntb' | 'attributed_orders_ntb_percentage' | 'attributed_units_ordered_ntb_percentage' | 'attributed_sales_ntb_percentage' | 'attributed_detail_page_views_clicks' | 'acos' | 'click_through_rate' | 'cost_per_click' | 'conversion_rate' | 'roas';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
    /**
     * Restricts the rows to these campaigns, at most 10.
     */
    campaignId?: Array<string>;
    /**
     * Restricts the rows to these statuses.
     */
    status?: Array<'active' | 'paused' | 'archived'>;
};

export type ListCampaignsInput = {
    /**
     * Channels with advertising, as POST /channels lists them: 1 to 5.
     */
    channelId: Array<string>;
    /**
     * Start of the range, 30 days before now when not given. Unix epoch time in whole seconds.
     */
    fromDate?: number;
    /**
     * End of the range, inclusive, now when not given; at most 6 calendar months after its start. Unix epoch time in whole seconds.
     */
    toDate?: number;
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currency?: string;
    /**
     * Column that the rows are sorted by.
     */
    sortKey?: 'channel_id' | 'campaign_id' | 'ad_type' | 'campaign_name' | 'campaign_status' | 'budget_type' | 'start_date' | 'end_date' | 'targeting_type' | 'bidding_strategy' | 'cost_type' | 'budget' | 'impressions' | 'clicks' | 'cost' | 'attributed_sales' | 'attributed_sales_same_sku' | 'attributed_conversions' | 'attributed_conversions_same_sku' | 'attributed_units_ordered' | 'attributed_units_ordered_same_sku' | 'attributed_orders_ntb' | 'attributed_units_ordered_ntb' | 'attributed_sales_ntb' | 'attributed_orders_ntb_percentage' | 'attributed_units_ordered_ntb_percentage' | 'attributed_sales_ntb_percentage' | 'attributed_detail_page_views_clicks' | 'acos' | 'click_through_rate' | 'cost_per_click' | 'cost_per_acquisition' | 'conversion_rate' | 'roas';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
    /**
     * Restricts the rows to these statuses.
     */
    status?: Array<'active' | 'paused' | 'archived'>;
    /**
     * Restricts the rows to the campaigns of these groups, at most 10; each must have a campaign of the channels.
     */
    customCampaignGroupId?: Array<string>;
};

export type ListKeywordsInput = {
    /**
     * Channels with advertising, as POST /channels lists them: 1 to 5.
     */
    channelId: Array<string>;
    /**
     * Start of the range, 30 days before now when not given. Unix epoch time in whole seconds.
     */
    fromDate?: number;
    /**
     * End of the range, inclusive, now when not given; at most 6 calendar months after its start. Unix epoch time in whole seconds.
     */
    toDate?: number;
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currency?: string;
    /**
     * Column that the rows are sorted by.
     */
    sortKey?: 'channel_id' | 'campaign_id' | 'ad_group_id' | 'keyword_id' | 'ad_type' | 'campaign_name' | 'ad_group_name' | 'keyword_text' | 'match_type' | 'keyword_status' | 'bid' | 'cost_type' | 'impressions' | 'clicks' | 'cost' | 'attributed_sales' | 'attributed_sales_same_sku' | 'attributed_conversions' | 'attributed_conversions_same_sku' | 'attributed_units_ordered' | 'attributed_units_ordered_same_sku' | 'attributed_orders_ntb' | 'attributed_units_ordered_ntb' | 'attributed_sales_ntb' | 'attributed_orders_ntb_percentage' | 'attributed_units_ordered_ntb_percentage' | 'attributed_sales_ntb_percentage' | 'attributed_detail_page_views_clicks' | 'acos' | 'click_through_rate' | 'cost_per_click' | 'cost_per_acquisition' | 'conversion_rate' | 'roas';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
    /**
     * Restricts the rows to these campaigns, at most 10.
     */
    campaignId?: Array<string>;
    /**
     * Restricts the rows to these ad groups, at most 10.
     */
    adGroupId?: Array<string>;
    /**
     * Restricts the rows to these statuses.
     */
    status?: Array<'active' | 'paused' | 'archived'>;
};

export type ListProductsInput = {
    /**
     * Channels with advertising, as POST /channels lists them: 1 to 5.
     */
    channelId: Array<string>;
    /**
     * Start of the range, 30 days before now when not given. Unix epoch time in whole seconds.
     */
    fromDate?: number;
    /**
     * End of the range, inclusive, now when not given; at most 6 calendar months after its start. Unix epoch time in whole seconds.
     */
    toDate?: number;
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currency?: string;
    /**
     * Column that the rows are sorted by.
     */
    sortKey?: 'channel_id' | 'product_sku' | 'impressions' | 'clicks' | 'cost' | 'attributed_sales' | 'attributed_sales_same_sku' | 'attributed_conversions' | 'attributed_conversions_same_sku' | 'attributed_units_ordered' | 'attributed_units_ordered_same_sku' | 'acos' | 'click_through_rate' | 'cost_per_click' | 'conversion_rate' | 'roas';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
    /**
     * Restricts the rows to these values of product_sku, at most 10.
     */
    productSku?: Array<string>;
};

export type ReadTargetsInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Start of the reporting period. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * End of the reporting period, inclusive. Unix epoch time in whole seconds.
     */
    toDate: number;
    /**
     * IANA time zone by whose calendar the range is divided, such as Europe/London.
     */
    timezone: string;
    /**
     * Length of a bucket: day, week from Monday or month, or d, w, M. The first and the last bucket are clipped to the range.
     */
    interval?: 'day' | 'week' | 'month' | 'd' | 'w' | 'M';
};

export type ListSearchQueryPerformanceInput = {
    /**
     * Identifier of the channel, as POST /channels lists it.
     */
    channelId: string;
    /**
     * Identifier of the merchant that owns the channel.
     */
    merchantId: string;
    /**
     * Start of the period; its month counts whole. Unix epoch time in whole seconds.
     */
    fromDate: number;
    /**
     * End of the period; its month counts whole. Unix epoch time in whole seconds.
     */
    toDate: number;
    /**
     * Start of the comparison period; its month counts whole. Unix epoch time in whole seconds.
     */
    priorFromDate: number;
    /**
     * End of the comparison period; its month counts whole. Unix epoch time in whole seconds.
     */
    priorToDate: number;
    /**
     * IANA time zone in which the months of the dates are found, such as Europe/London.
     */
    timezone: string;
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows of a page.
     */
    pageSize?: number;
    /**
     * Column that the rows are sorted by.
     */
    sortKey?: 'asin' | 'searchQueryVolume' | 'totalImpressions' | 'impressions' | 'impressionShare' | 'totalClicks' | 'clicks' | 'clickShare' | 'totalCtr' | 'ctr' | 'totalCartAdds' | 'cartAdds' | 'atcRate' | 'totalPurchases' | 'purchases' | 'purchaseShare' | 'totalCvr' | 'cvr' | 'currentRevenue' | 'opportunity';
    /**
     * Whether the rows rise or fall.
     */
    sortOrder?: 'asc' | 'desc';
    /**
     * Restricts the rows to these products, at most as many different ones as the organisation's entitlement allows.
     */
    asins?: Array<string>;
    /**
     * Currency that amounts are converted to: an ISO 4217 code, in any letter case.
     */
    currency?: string;
};

export type ListWebhooksInput = {
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type ChangeWebhookInput = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
    /**
     * Where events are sent to: an https address that the internet can reach.
     */
    url?: string;
    /**
     * The events that the webhook hears of. `report.finished`: A CSV report is done; its file can be downloaded. `report.failed`: A CSV report failed for good. `import.finished`: A document or rows were imported. `import.refused`: An import was refused or failed; no fact has changed. `data.overdue`: A daily dataset of a channel misses two days or more. `target.at_risk`: Sales of the month are below 95 % of their budget so far. `schedule.finished`: A run of a schedule is done; its file can be downloaded. `schedule.failed`: A run of a schedule failed for good. `webhook.disabled`: A webhook of the organisation was disabled after failing for long.
     */
    events?: Array<'report.finished' | 'report.failed' | 'import.finished' | 'import.refused' | 'data.overdue' | 'target.at_risk' | 'schedule.finished' | 'schedule.failed' | 'webhook.disabled'>;
    /**
     * What the webhook is for; shown beside it.
     */
    description?: string;
    /**
     * paused stops it; enabled starts it again, also after it was disabled.
     */
    state?: 'enabled' | 'paused';
};

export type DeleteWebhookInput = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
};

export type ListWebhookDeliveriesInput = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
    /**
     * Only deliveries in this state.
     */
    state?: 'waiting' | 'delivered' | 'failed' | 'dropped';
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type ReplayWebhookDeliveryInput = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
    /**
     * Identifier of the delivery.
     */
    deliveryId: string;
};

export type RotateWebhookSecretInput = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
    /**
     * How long the previous secret signs too; 0 ends it at once.
     */
    graceSeconds?: number;
};

export type TestWebhookInput = {
    /**
     * Identifier of the webhook.
     */
    webhookId: string;
};

export type ListSchedulesInput = {
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

export type ChangeScheduleInput = {
    /**
     * Identifier of the schedule.
     */
    scheduleId: string;
    /**
     * What the schedule is for.
     */
    name?: string;
    /**
     * When it is due, as five fields: minute, hour, day of the month, month, day of the week. A local time that a change of clocks skips is due at the end of the gap; one that comes twice is due the first time. The times are at least an hour apart.
     */
    cron?: string;
    /**
     * IANA time zone of the times and of the days of the period.
     */
    timezone?: string;
    /**
     * Its parameters, without those that the period sets.
     */
    parameters?: {
        [key: string]: unknown;
    };
    /**
     * The period of each run; null for none.
     */
    period?: 'yesterday' | 'last7Days' | 'last30Days' | 'last90Days' | 'lastWeek' | 'lastMonth' | 'monthToDate' | 'yearToDate' | null;
    /**
     * The file is sent to these addresses too, if the operator has set up e-mail. Those of strangers are asked to confirm at first. E-mails of a day are limited.
     */
    emails?: Array<string>;
    /**
     * paused stops it; enabled starts it again, also after it was disabled.
     */
    state?: 'enabled' | 'paused';
};

export type DeleteScheduleInput = {
    /**
     * Identifier of the schedule.
     */
    scheduleId: string;
};

export type RunScheduleInput = {
    /**
     * Identifier of the schedule.
     */
    scheduleId: string;
};

export type ListScheduleRunsInput = {
    /**
     * Identifier of the schedule.
     */
    scheduleId: string;
    /**
     * Number of the page, counted from 0.
     */
    pageIndex?: number;
    /**
     * Rows per page.
     */
    pageSize?: number;
};

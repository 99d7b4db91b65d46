# Written by `npm run documents` from docs/openapi.json: do not edit.
"""A method for each operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Unpack, overload

from . import schemas
from .caller import Caller, CallOptions, Operation, Paging

OPERATIONS: dict[str, Operation] = {
    "list_channels": Operation("POST", "/channels", False, False),
    "list_tags": Operation("GET", "/tags", False, True),
    "read_channel_tags": Operation("GET", "/tags/channel", False, True),
    "change_channel_tags": Operation("PATCH", "/tags/channel", True, False),
    "convert_tag": Operation("POST", "/tags/convert", True, False),
    "read_lineage": Operation("GET", "/lineage", False, True),
    "save_custom_group": Operation("POST", "/customGroups", True, False),
    "list_custom_groups": Operation("GET", "/customGroups", False, True),
    "read_custom_group": Operation("GET", "/customGroups/{id}", False, True),
    "change_custom_group": Operation("PATCH", "/customGroups/{id}", True, False, True),
    "delete_custom_group": Operation("DELETE", "/customGroups/{id}", False, False, True),
    "view_advertising_by_channels": Operation("POST", "/reports/view/advertisingByChannels", False, True),
    "view_sales_by_period": Operation("POST", "/reports/view/salesByPeriod", False, True),
    "view_vendor_sales_by_period": Operation("POST", "/reports/view/vendorSalesByPeriod", False, True),
    "view_profit_by_period": Operation("POST", "/reports/view/profitByPeriod", False, True),
    "view_sales_by_product": Operation("POST", "/reports/view/salesByProduct", False, True),
    "view_sales_by_channel": Operation("POST", "/reports/view/salesByChannel", False, True),
    "create_customer_lifetime_value_report": Operation("POST", "/reports/create/customerLifetimeValue", True, False),
    "create_traffic_and_conversion_report": Operation("POST", "/reports/create/trafficAndConversion", True, False),
    "create_inventory_replenishment_report": Operation("POST", "/reports/create/inventoryReplenishment", True, False),
    "create_cancellations_and_refunds_report": Operation("POST", "/reports/create/cancellationsAndRefunds", True, False),
    "create_ordered_revenue_report": Operation("POST", "/reports/create/orderedRevenue", True, False),
    "create_shipped_revenue_report": Operation("POST", "/reports/create/shippedRevenue", True, False),
    "create_sales_by_product_report": Operation("POST", "/reports/create/salesByProduct", True, False),
    "create_campaigns_report": Operation("POST", "/reports/create/campaigns", True, False),
    "create_marketing_by_product_report": Operation("POST", "/reports/create/marketingByProduct", True, False),
    "create_channel_profit_and_loss_report": Operation("POST", "/reports/create/channelProfitAndLoss", True, False),
    "create_repeat_purchase_report": Operation("POST", "/reports/create/repeatPurchase", True, False),
    "list_reports": Operation("GET", "/reports", False, False),
    "read_report_status": Operation("GET", "/reports/status/{reportId}", False, False),
    "list_orders": Operation("POST", "/orders/primarymkt", False, False),
    "save_direct_costs": Operation("POST", "/profitability/directCosts", True, False),
    "read_direct_costs_job_status": Operation("GET", "/profitability/directCostsJobStatus", False, True),
    "read_product_profit_and_loss": Operation("POST", "/profitability/productProfitAndLoss", False, True),
    "read_store_profit_and_loss": Operation("POST", "/profitability/storeProfitAndLoss", False, True),
    "list_unknown_codes": Operation("GET", "/profitability/codes", False, True),
    "save_code": Operation("PATCH", "/profitability/codes", False, False),
    "list_ad_groups": Operation("GET", "/advertising/adGroups", False, True),
    "list_campaigns": Operation("GET", "/advertising/campaigns", False, True),
    "list_keywords": Operation("GET", "/advertising/keywords", False, True),
    "list_products": Operation("GET", "/advertising/products", False, True),
    "read_targets": Operation("GET", "/targets", False, True),
    "list_search_query_performance": Operation("GET", "/search-query-performance/asins", False, True),
    "create_webhook": Operation("POST", "/webhooks", True, False),
    "list_webhooks": Operation("GET", "/webhooks", False, False),
    "change_webhook": Operation("PATCH", "/webhooks/{webhookId}", True, False),
    "delete_webhook": Operation("DELETE", "/webhooks/{webhookId}", False, False, True),
    "list_webhook_deliveries": Operation("GET", "/webhooks/{webhookId}/deliveries", False, False),
    "replay_webhook_delivery": Operation("POST", "/webhooks/{webhookId}/deliveries/{deliveryId}/replay", True, False),
    "rotate_webhook_secret": Operation("POST", "/webhooks/{webhookId}/rotate", True, False),
    "test_webhook": Operation("POST", "/webhooks/{webhookId}/test", True, False),
    "create_schedule": Operation("POST", "/schedules", True, False),
    "list_schedules": Operation("GET", "/schedules", False, False),
    "change_schedule": Operation("PATCH", "/schedules/{scheduleId}", True, False),
    "delete_schedule": Operation("DELETE", "/schedules/{scheduleId}", False, False, True),
    "run_schedule": Operation("POST", "/schedules/{scheduleId}/run", True, False),
    "list_schedule_runs": Operation("GET", "/schedules/{scheduleId}/runs", False, False),
}

PAGINGS: dict[str, Paging] = {
    "list_tags": Paging(("items",), ("totalCount",), 100, ()),
    "list_custom_groups": Paging(("groups",), ("total",), 100, ()),
    "view_advertising_by_channels": Paging(("data", "items"), ("data", "totalItems"), 100, ()),
    "view_sales_by_product": Paging(("rows",), ("count",), 100, ()),
    "view_sales_by_channel": Paging(("rows",), ("count",), 100, ()),
    "list_reports": Paging(("reports",), ("total",), 100, ()),
    "list_orders": Paging(("data",), None, 100, ()),
    "read_product_profit_and_loss": Paging(("productEvents",), ("count",), 50, ("reportOptions",)),
    "list_ad_groups": Paging(("data",), ("pagination", "count"), 100, ()),
    "list_campaigns": Paging(("data",), ("pagination", "count"), 100, ()),
    "list_keywords": Paging(("data",), ("pagination", "count"), 100, ()),
    "list_products": Paging(("data",), ("pagination", "count"), 100, ()),
    "list_search_query_performance": Paging(("data",), ("pagination", "count"), 50, ()),
    "list_webhooks": Paging(("webhooks",), ("total",), 100, ()),
    "list_webhook_deliveries": Paging(("deliveries",), ("total",), 100, ()),
    "list_schedules": Paging(("schedules",), ("total",), 100, ()),
    "list_schedule_runs": Paging(("runs",), ("total",), 100, ()),
}

CsvName = Literal[
    "list_channels",
    "list_tags",
    "read_lineage",
    "list_custom_groups",
    "view_advertising_by_channels",
    "view_sales_by_period",
    "view_vendor_sales_by_period",
    "view_profit_by_period",
    "view_sales_by_product",
    "view_sales_by_channel",
    "list_reports",
    "list_orders",
    "read_product_profit_and_loss",
    "list_unknown_codes",
    "list_ad_groups",
    "list_campaigns",
    "list_keywords",
    "list_products",
    "read_targets",
    "list_search_query_performance",
    "list_webhooks",
    "list_webhook_deliveries",
    "list_schedules",
    "list_schedule_runs",
]


class Operations(Caller):
    """A method for each operation."""

    def list_channels(
        self, input: schemas.ListChannelsRequest | None = None, **options: Unpack[CallOptions]
    ) -> schemas.ListChannelsAnswer:
        """List channels.

        Lists the channels that the caller may reach, by displayName and then channelId. Without
        a filter all of them are listed. Values within one list of the filter are alternatives;
        a channel must pass both lists. Further fields come only if `include` names them:
        `details` brings kind, currency and timezone, `freshness` the last dates of facts.
        """
        return self._call(OPERATIONS["list_channels"], "list_channels", input, options)

    def list_tags(
        self, input: schemas.ListTagsInput | None = None, **options: Unpack[CallOptions]
    ) -> schemas.ListTagsAnswer:
        """List the tags of channels.

        Lists the channels within reach that carry tags which the caller sees, by channelId,
        with these tags: shared ones and the caller's own.
        """
        return self._call(OPERATIONS["list_tags"], "list_tags", input, options)

    def read_channel_tags(
        self, input: schemas.ReadChannelTagsInput, **options: Unpack[CallOptions]
    ) -> schemas.ReadChannelTagsAnswer:
        """Read the tags of a channel.

        Reads the tags of a channel that the caller sees: shared ones and the caller's own.
        """
        return self._call(OPERATIONS["read_channel_tags"], "read_channel_tags", input, options)

    def change_channel_tags(
        self, input: schemas.ChangeChannelTagsRequest, **options: Unpack[CallOptions]
    ) -> schemas.ChangeChannelTagsAnswer:
        """Change the tags of a channel.

        Adds tags to a channel and removes others. A tag that begins with org:// is seen and
        changed by the whole organisation, any other one by its user alone. Adding a tag that is
        there and removing one that is not change nothing. Letter case matters; white space at
        both ends of a tag does not. A user sees at most 200 tags on one channel.
        """
        return self._call(OPERATIONS["change_channel_tags"], "change_channel_tags", input, options)

    def convert_tag(
        self, input: schemas.ConvertTagRequest, **options: Unpack[CallOptions]
    ) -> schemas.ConvertTagAnswer:
        """Share a tag or make it private.

        Makes a tag of the caller a shared one, or a shared one (org://) one of the caller
        alone, on every channel within reach that carries it. Channels that carry both
        afterwards carry the new one once. A shared tag on channels out of reach stays shared,
        and private tags of other users stay as they are.
        """
        return self._call(OPERATIONS["convert_tag"], "convert_tag", input, options)

    def read_lineage(
        self, input: schemas.ReadLineageInput, **options: Unpack[CallOptions]
    ) -> schemas.ReadLineageAnswer:
        """Trace a day's figures to their imports.

        Answers where the figures of one date and dataset come from: the imports with facts of
        the date and their documents, the imports that these superseded, and failed and undone
        ones that cover the date. A fact of several days belongs to its last day. Dates are
        those of the channel's time zone; monthly facts belong to every date of their month.
        With `currency` the answer has the exchange rates, too. Of imports without facts of the
        date it lists the 500 latest.
        """
        return self._call(OPERATIONS["read_lineage"], "read_lineage", input, options)

    def save_custom_group(
        self, input: schemas.SaveCustomGroupRequest, **options: Unpack[CallOptions]
    ) -> schemas.SaveCustomGroupAnswer:
        """Create or overwrite a custom group.

        Creates a group of products or of brands of a channel. With groupId an existing group of
        the same channel is replaced completely; it may change from products to brands and back.
        Duplicates count once. Letter case matters; white space at both ends of a text does not.
        """
        return self._call(OPERATIONS["save_custom_group"], "save_custom_group", input, options)

    def list_custom_groups(
        self, input: schemas.ListCustomGroupsInput, **options: Unpack[CallOptions]
    ) -> schemas.ListCustomGroupsAnswer:
        """List custom groups.

        The groups of a channel by groupName, in order of its bytes, and then groupId.
        """
        return self._call(OPERATIONS["list_custom_groups"], "list_custom_groups", input, options)

    def read_custom_group(
        self, input: schemas.ReadCustomGroupInput, **options: Unpack[CallOptions]
    ) -> schemas.ReadCustomGroupAnswer:
        """Read a custom group.

        A group holds products or brands; the other list is empty. They come in the order in
        which they were given.
        """
        return self._call(OPERATIONS["read_custom_group"], "read_custom_group", input, options)

    def change_custom_group(
        self, input: schemas.ChangeCustomGroupInput, **options: Unpack[CallOptions]
    ) -> None:
        """Change a custom group.

        Renames a group of the channel, adds to it and removes from it. Adding what is there and
        removing what is not change nothing. A group of products takes products only, one of
        brands brands only; it must keep at least one and may hold at most 10000.
        """
        return self._call(OPERATIONS["change_custom_group"], "change_custom_group", input, options)

    def delete_custom_group(
        self, input: schemas.DeleteCustomGroupInput, **options: Unpack[CallOptions]
    ) -> None:
        """Delete a custom group.

        Its products and brands stay what they are; only the group is gone.
        """
        return self._call(OPERATIONS["delete_custom_group"], "delete_custom_group", input, options)

    def view_advertising_by_channels(
        self, input: schemas.ViewAdvertisingByChannelsRequest, **options: Unpack[CallOptions]
    ) -> schemas.ViewAdvertisingByChannelsAnswer:
        """View advertising by channels.

        Advertising of every channel that the caller may reach and that has advertising
        connected, with a comparison period; channels without figures have zeros. Values within
        one list of the filter are alternatives; a channel must pass all lists. Advertising
        figures belong to the marketplace's dates, from the local date of fromDate through that
        of toDate. Total sales, which tacos and troas are made with, are those of POST
        /reports/view/salesByPeriod over the same range; of vendor channels, the marketplace's
        ordered revenue or the revenue of the units that the vendor supplied. Every fact is
        converted at the rate of its own date. Numbers in text never have separators; "-" stands
        for a ratio without a denominator, and for a comparison period without any advertising
        figure. A store with amounts in a currency without an exchange rate has "-" in place of
        what is made of them, and the header Vitrine-Warning names it. A page past the last has
        no items.
        """
        return self._call(OPERATIONS["view_advertising_by_channels"], "view_advertising_by_channels", input, options)

    def view_sales_by_period(
        self, input: schemas.ViewSalesByPeriodRequest, **options: Unpack[CallOptions]
    ) -> schemas.ViewSalesByPeriodAnswer:
        """View sales by period.

        Sales, traffic and advertising of a seller channel, bucket by bucket, with a comparison
        period. Buckets are calendar buckets of the time zone, the first and the last clipped to
        the range, empty ones included; the comparison period is divided alike and paired by
        position. Numbers in text never have separators; "-" stands for a ratio without a
        denominator, and for a comparison without any fact. The click-through rate is "-" where
        some clicks come from search terms alone, which the header Vitrine-Warning names.
        Amounts are in the channel's currency. From the first local date of the channel's order
        lines on, sales, units and line items come from order lines; on dates before, from the
        marketplace's Sales and Traffic figures, which have no tax. By the hour, the figures
        that exist by day only (traffic, advertising) are "-" and 0.
        """
        return self._call(OPERATIONS["view_sales_by_period"], "view_sales_by_period", input, options)

    def view_vendor_sales_by_period(
        self, input: schemas.ViewVendorSalesByPeriodRequest, **options: Unpack[CallOptions]
    ) -> schemas.ViewVendorSalesByPeriodAnswer:
        """View vendor sales by period.

        Sales and advertising of a vendor channel, bucket by bucket, with a comparison period.
        Buckets are calendar buckets of the time zone, the first and the last clipped to the
        range, empty ones included; the comparison period is divided alike and paired by
        position. All figures belong to the marketplace's dates: a bucket has those of every
        date that it touches. Numbers in text never have separators; "-" stands for a ratio
        without a denominator, and for a comparison without any fact. Amounts are in the
        currency of the channel; an amount in another currency is converted at the rate of its
        date.
        """
        return self._call(OPERATIONS["view_vendor_sales_by_period"], "view_vendor_sales_by_period", input, options)

    def view_profit_by_period(
        self, input: schemas.ViewProfitByPeriodRequest, **options: Unpack[CallOptions]
    ) -> schemas.ViewProfitByPeriodAnswer:
        """View profit by period.

        The profit and loss of one or several seller channels, bucket by bucket, with a
        comparison period. Buckets are calendar buckets of the time zone, the first and the last
        clipped to the range, empty ones included; the comparison period is divided alike and
        paired by position. The lines mean what they mean in POST
        /profitability/storeProfitAndLoss, and over all buckets they add up to its lines.
        Numbers in text never have separators; "-" stands for a margin without revenue, and for
        a comparison without any fact. An amount in another currency is converted at the rate of
        its date. salesWithoutUnitCosts says how much of the sales has no cost of goods, which
        makes profit look larger than it is.
        """
        return self._call(OPERATIONS["view_profit_by_period"], "view_profit_by_period", input, options)

    def view_sales_by_product(
        self, input: schemas.ViewSalesByProductRequest, **options: Unpack[CallOptions]
    ) -> schemas.ViewSalesByProductAnswer:
        """View sales by product.

        Sales, units and advertising of each product of a channel, with a comparison period. A
        row is a SKU; facts that name a product id alone belong to the SKU of the catalogue with
        this id, or stand in a row of their own where several or none have it.

        Sales count as in POST /reports/view/salesByPeriod: from the first local date of the
        channel's order lines on they come from order lines, on dates before from the
        marketplace's own figures. The sales of all rows and those of `unlisted` add up to the
        sales of the store: `unlisted` is what the marketplace reports of the whole store beyond
        its products. Sales of vendor channels are the marketplace's ordered revenue.
        Advertising figures are those of advertised products.

        Without includeNoSales, rows are the products that were sold in either period. Rows are
        sorted by figures of the current period, equal ones by productId; "" and null come last.
        Amounts are in the channel's currency, each fact converted at the rate of its own date.
        A period without figures of a product has zeros.
        """
        return self._call(OPERATIONS["view_sales_by_product"], "view_sales_by_product", input, options)

    def view_sales_by_channel(
        self, input: schemas.ViewSalesByChannelRequest, **options: Unpack[CallOptions]
    ) -> schemas.ViewSalesByChannelAnswer:
        """View sales by channel.

        Sales, targets, stock and buy box of every channel that the caller may reach, in one
        currency, with a comparison period. Sales of seller channels are those of POST
        /reports/view/salesByPeriod over the same range, of vendor channels those of POST
        /reports/view/vendorSalesByPeriod: sales count by their instant, views and vendor
        figures by the marketplace's dates, from the local date of fromDate through that of
        toDate. Every fact is converted at the rate of its own date, targets at the rates of
        their days. A period without facts has zeros. Values within one list of the filter are
        alternatives; a channel must pass all lists. A store with amounts in a currency without
        an exchange rate has null in place of what is made of them, and the header
        Vitrine-Warning names it. Percentages have two decimals. With an interval, each row also
        has its sales bucket by bucket. A page past the last has no rows.
        """
        return self._call(OPERATIONS["view_sales_by_channel"], "view_sales_by_channel", input, options)

    def create_customer_lifetime_value_report(
        self, input: schemas.CreateCustomerLifetimeValueReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a customer lifetime value report.

        Creates a CSV report of a seller channel with one row per cohort: the customers whose
        first order ever falls into it. The report is computed in the background. GET
        /reports/status/{reportId} returns its status and, once it is done, a link to its file.
        A request identical to one of the last five minutes whose report is still under way
        shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_customer_lifetime_value_report"], "create_customer_lifetime_value_report", input, options)

    def create_traffic_and_conversion_report(
        self, input: schemas.CreateTrafficAndConversionReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a traffic and conversion report.

        Creates a CSV report of a seller channel with one row per product that had traffic or
        sold units. The report is computed in the background. GET /reports/status/{reportId}
        returns its status and, once it is done, a link to its file. A request identical to one
        of the last five minutes whose report is still under way shares its computation. An
        organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_traffic_and_conversion_report"], "create_traffic_and_conversion_report", input, options)

    def create_inventory_replenishment_report(
        self, input: schemas.CreateInventoryReplenishmentReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create an inventory replenishment report.

        Creates a CSV report of a seller channel with one row per SKU that the marketplace
        fulfils: how long its stock lasts, how much to send, and when. The report is computed in
        the background. GET /reports/status/{reportId} returns its status and, once it is done,
        a link to its file. A request identical to one of the last five minutes whose report is
        still under way shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_inventory_replenishment_report"], "create_inventory_replenishment_report", input, options)

    def create_cancellations_and_refunds_report(
        self, input: schemas.CreateCancellationsAndRefundsReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of cancellations and refunds.

        Creates a CSV report of a seller channel with one row per SKU that had orders or
        refunds, the most ordered first; productId is the SKU. Gross figures cover all order
        lines by date of purchase; cancelled figures cover the cancelled lines that their source
        reports; net sales are the difference. Refunds are those posted in the period, whenever
        the order was placed: cancelRate is a percentage of gross sales, refundRate of net sales
        and refundRateUnits of the units that were not cancelled. Order lines and refunds that
        name no SKU and no product share a row without productId. The report is computed in the
        background. GET /reports/status/{reportId} returns its status and, once it is done, a
        link to its file. A request identical to one of the last five minutes whose report is
        still under way shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_cancellations_and_refunds_report"], "create_cancellations_and_refunds_report", input, options)

    def create_ordered_revenue_report(
        self, input: schemas.CreateOrderedRevenueReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of ordered revenue.

        Creates a CSV report of a vendor channel with one row per product that was viewed or
        ordered, the most ordered first: glance views, ordered revenue and ordered units of the
        manufacturing view, by the marketplace's dates. unitsPerGlanceViews is a ratio,
        conversionRate the same as a percentage. The report is computed in the background. GET
        /reports/status/{reportId} returns its status and, once it is done, a link to its file.
        A request identical to one of the last five minutes whose report is still under way
        shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_ordered_revenue_report"], "create_ordered_revenue_report", input, options)

    def create_shipped_revenue_report(
        self, input: schemas.CreateShippedRevenueReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of shipped revenue.

        Creates a CSV report of a vendor channel with one row per product that was shipped, the
        most shipped first: shipped revenue, units and cost of goods, by the marketplace's
        dates. amazonMargin is the share of shipped revenue that exceeds the cost of goods,
        netPureProductMargin the mean of the margins that the marketplace reports of the
        product, weighted by shipped revenue. Both are percentages. The report is computed in
        the background. GET /reports/status/{reportId} returns its status and, once it is done,
        a link to its file. A request identical to one of the last five minutes whose report is
        still under way shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_shipped_revenue_report"], "create_shipped_revenue_report", input, options)

    def create_sales_by_product_report(
        self, input: schemas.CreateSalesByProductReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of sales by product.

        Creates a CSV report of a channel with one row per product, the most sold first: the
        figures of POST /reports/view/salesByProduct, and the stock. quantity is what was
        available at the end of the period, and daysCover how long it lasts if as much is
        ordered a day as in the 30 days before, or in the 60 or 90 days where nothing was.
        fulfillmentChannel is AFN for the marketplace and MFN for the seller. status is
        outOfStock where no unit was available, else active; blank for products that the
        catalogue does not have. Reports of vendor channels have poValue and unitsOrdered, the
        marketplace's ordered revenue and units. The report is computed in the background. GET
        /reports/status/{reportId} returns its status and, once it is done, a link to its file.
        A request identical to one of the last five minutes whose report is still under way
        shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_sales_by_product_report"], "create_sales_by_product_report", input, options)

    def create_campaigns_report(
        self, input: schemas.CreateCampaignsReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of campaigns.

        Creates a zip archive of five CSV or Parquet files about a channel with advertising:
        campaigns, adGroups, keywords, productAds and products. Each has the columns of its
        list, then seller_id, marketplace_id and report_date, and one row per date and campaign,
        ad group, keyword, product of an ad group, or product with figures. report_date is the
        date of the figures, settings are those of today, and amounts are in the channel's
        currency; a ratio without a denominator is blank. The report is computed in the
        background. GET /reports/status/{reportId} returns its status and, once it is done, a
        link to its file. A request identical to one of the last five minutes whose report is
        still under way shares its computation. An organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_campaigns_report"], "create_campaigns_report", input, options)

    def create_marketing_by_product_report(
        self, input: schemas.CreateMarketingByProductReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of marketing by product.

        Creates a CSV report of a channel with advertising with one row per date and advertised
        product: the columns of GET /advertising/products, then seller_id, marketplace_id and
        report_date. report_date is the date of the figures, settings are those of today, and
        amounts are in the channel's currency; a ratio without a denominator is blank. The
        report is computed in the background. GET /reports/status/{reportId} returns its status
        and, once it is done, a link to its file. A request identical to one of the last five
        minutes whose report is still under way shares its computation. An organisation can have
        50 reports waiting.
        """
        return self._call(OPERATIONS["create_marketing_by_product_report"], "create_marketing_by_product_report", input, options)

    def create_channel_profit_and_loss_report(
        self, input: schemas.CreateChannelProfitAndLossReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of profit and loss by channel.

        Creates a CSV report of the profit and loss of one or several seller channels, side by
        side and in one currency. Its rows are the lines of POST
        /profitability/storeProfitAndLoss in their order, then netProfit, margin and units. The
        column metric names the row. Each channel has three columns, which begin with its
        channelId: value, shareOfIncome, which is the value as a percentage of totalRevenue, and
        valuePerUnit, which is the value by units. The columns of Total follow, which adds up
        the shown values, then the currency of the row. margin is netProfit as a percentage of
        totalRevenue; units counts the units of sales posted in the period, returns not
        deducted. A ratio without a denominator is blank. An amount in another currency is
        converted at the rate of its date. Only users with access to all of its channels can see
        the report. The report is computed in the background. GET /reports/status/{reportId}
        returns its status and, once it is done, a link to its file. A request identical to one
        of the last five minutes whose report is still under way shares its computation. An
        organisation can have 50 reports waiting.
        """
        return self._call(OPERATIONS["create_channel_profit_and_loss_report"], "create_channel_profit_and_loss_report", input, options)

    def create_repeat_purchase_report(
        self, input: schemas.CreateRepeatPurchaseReportRequest, **options: Unpack[CallOptions]
    ) -> schemas.Report:
        """Create a report of repeat purchases.

        Creates a CSV report of a seller channel with one row per product that customers bought,
        the one with the most customers first. productSku is the platform's product id, or the
        SKU where that is unknown. A customer is a buyer with an order of the product in the
        period. Repeat customers ordered it at least twice in the period; new customers had
        never ordered it before the period. A customer may be both, or neither.
        repeatCustomerSales are all sales of the product to repeat customers in the period.
        Orders whose source names no buyer belong to no customer and count nowhere in this
        report, so totalSales are the sales to known buyers. Canceled orders do not count. The
        report is computed in the background. GET /reports/status/{reportId} returns its status
        and, once it is done, a link to its file. A request identical to one of the last five
        minutes whose report is still under way shares its computation. An organisation can have
        50 reports waiting.
        """
        return self._call(OPERATIONS["create_repeat_purchase_report"], "create_repeat_purchase_report", input, options)

    def list_reports(
        self, input: schemas.ListReportsInput | None = None, **options: Unpack[CallOptions]
    ) -> schemas.ListReportsAnswer:
        """List reports.

        The reports that the organisation requested in the last 30 days, of the channels within
        reach of the caller, the newest first. GET /reports/status/{reportId} gives the link to
        the file of one.
        """
        return self._call(OPERATIONS["list_reports"], "list_reports", input, options)

    def read_report_status(
        self, input: schemas.ReadReportStatusInput, **options: Unpack[CallOptions]
    ) -> schemas.ReadReportStatusAnswer:
        """Read the status of a report.

        Returns the status of a report and, once it is done, a link to its file. A report
        belongs to the organisation: its owners and administrators can read it if they have
        access to its channel. Reports are kept for 30 days. If channelId or merchantId is given
        and does not match the report, the answer is 404, as for a report that does not exist.
        """
        return self._call(OPERATIONS["read_report_status"], "read_report_status", input, options)

    def list_orders(
        self, input: schemas.ListOrdersRequest, **options: Unpack[CallOptions]
    ) -> schemas.ListOrdersAnswer:
        """List orders.

        The orders of a channel of the primary marketplace in a date range, sorted by dateField
        and then by order number, both ascending; a vendor channel has none. Without dates the
        range is the 30 days before the request; fromDate alone reaches to the request, and
        toDate alone 30 days back. orderId finds its order whatever its date, unless a date is
        given too.

        meta.key leads to the next page and is absent on the last one. It is valid for the same
        query only; pageSize may change. Orders may arrive and change while the pages are read:
        no order is shown twice, and no order that existed at the first page is missed. With
        updatedAt an order keeps its place from the first page and is shown in its current
        state; newer orders are left to the next query. With createdAt new orders are shown if
        their date is still ahead. With updatedAt an order without a known update is sorted as
        if updated at the epoch.

        Every field is always present. Requires the enterprise plan.
        """
        return self._call(OPERATIONS["list_orders"], "list_orders", input, options)

    def save_direct_costs(
        self, input: schemas.SaveDirectCostsRequest, **options: Unpack[CallOptions]
    ) -> schemas.SaveDirectCostsAnswer:
        """Set unit costs.

        Sets the unit costs of SKUs from a date on. A cost applies until the next date with
        costs for its SKU. Costs replace earlier ones of the same SKU and date; those of other
        SKUs and dates stay. Either all rows of a request are saved, or none. The answer names a
        job; GET /profitability/directCostsJobStatus returns its status. The jobs of a channel
        run in the order of their requests.
        """
        return self._call(OPERATIONS["save_direct_costs"], "save_direct_costs", input, options)

    def read_direct_costs_job_status(
        self, input: schemas.ReadDirectCostsJobStatusInput, **options: Unpack[CallOptions]
    ) -> schemas.ReadDirectCostsJobStatusAnswer:
        """Read how far a job of unit costs is.

        COMPLETED once every figure is made with the costs of the job; FAILED where none of them
        was taken. A job can be asked for during 30 days.
        """
        return self._call(OPERATIONS["read_direct_costs_job_status"], "read_direct_costs_job_status", input, options)

    def read_product_profit_and_loss(
        self, input: schemas.ReadProductProfitAndLossRequest, **options: Unpack[CallOptions]
    ) -> schemas.ReadProductProfitAndLossAnswer:
        """Read the profit and loss of products.

        The profit and loss of each SKU of a seller channel that has an event in the range,
        whatever it adds up to, or reported advertising spend that counts. Financial events
        count at the instant they were posted. Each line is rounded to the minor unit of the
        channel's currency, and totals are sums of the rounded lines. Amounts in other
        currencies are converted at the rate of their date. The unit cost of an event is the
        latest one of its SKU that applies on the date of the event; before the first one it is
        zero. Amounts that only move money, such as a transfer to the bank, do not count. Seller
        channels only. Dates are those of UTC. Events without a SKU count for the store alone.
        Advertising is what was posted for the SKU; of a channel that never had an ad charge of
        a SKU posted, what the advertising reports of products say of its SKUs. Rows are sorted
        by sales as they are shown, the largest first, and equal ones by sellerSku; a page past
        the last has none.
        """
        return self._call(OPERATIONS["read_product_profit_and_loss"], "read_product_profit_and_loss", input, options)

    def read_store_profit_and_loss(
        self, input: schemas.ReadStoreProfitAndLossRequest, **options: Unpack[CallOptions]
    ) -> schemas.StoreProfitAndLoss:
        """Read a store's profit and loss.

        The profit and loss of a seller channel. Financial events count at the instant they were
        posted. Each line is rounded to the minor unit of the channel's currency, and totals are
        sums of the rounded lines. Amounts in other currencies are converted at the rate of
        their date. The unit cost of an event is the latest one of its SKU that applies on the
        date of the event; before the first one it is zero. Amounts that only move money, such
        as a transfer to the bank, do not count. Seller channels only. Dates are those of the
        time zone. Advertising is what was posted in the range; of a channel that never had an
        ad charge posted, what the advertising reports of the dates from that of fromDate
        through that of toDate say.
        """
        return self._call(OPERATIONS["read_store_profit_and_loss"], "read_store_profit_and_loss", input, options)

    def list_unknown_codes(
        self, input: schemas.ListUnknownCodesInput, **options: Unpack[CallOptions]
    ) -> schemas.ListUnknownCodesAnswer:
        """List codes that the service does not know.

        Codes of financial events in the range that no list of the service knows, the largest
        amounts first. Until an owner names one, a credit is otherIncome and a debit
        otherExpenses. Codes that have been named are listed too.
        """
        return self._call(OPERATIONS["list_unknown_codes"], "list_unknown_codes", input, options)

    def save_code(
        self, input: schemas.SaveCodeRequest, **options: Unpack[CallOptions]
    ) -> schemas.SaveCodeAnswer:
        """Say what a code is.

        Names the line of a code that the service does not know, for all channels of the
        organisation. A financial event of one of them must have the code. What is there already
        is booked on the line at once, and later documents follow. Without a line the code goes
        by its sign again. Only owners and administrators may name codes, at most 1000.
        """
        return self._call(OPERATIONS["save_code"], "save_code", input, options)

    def list_ad_groups(
        self, input: schemas.ListAdGroupsInput, **options: Unpack[CallOptions]
    ) -> schemas.ListAdGroupsAnswer:
        """List ad groups with their figures.

        All ad groups of the channels that match the filters, also those without figures in the
        range. Figures are those of the dates from fromDate to toDate, each date being the
        store's own. Amounts are converted at the rate of their date and then summed; ratios are
        formed last, from sums, and are 0 without a denominator. Texts are sorted without regard
        to letter case, "" last; rows that are equal are sorted by their identifier, rising. An
        ad group that is known by its figures only has "" for a name and for a status.
        """
        return self._call(OPERATIONS["list_ad_groups"], "list_ad_groups", input, options)

    def list_campaigns(
        self, input: schemas.ListCampaignsInput, **options: Unpack[CallOptions]
    ) -> schemas.ListCampaignsAnswer:
        """List campaigns with their figures.

        All campaigns of the channels that match the filters, also those without figures in the
        range. Figures are those of the dates from fromDate to toDate, each date being the
        store's own. Amounts are converted at the rate of their date and then summed; ratios are
        formed last, from sums, and are 0 without a denominator. Texts are sorted without regard
        to letter case, "" last; rows that are equal are sorted by their identifier, rising. A
        campaign that is known by its figures only has "" for a name and for a status.
        """
        return self._call(OPERATIONS["list_campaigns"], "list_campaigns", input, options)

    def list_keywords(
        self, input: schemas.ListKeywordsInput, **options: Unpack[CallOptions]
    ) -> schemas.ListKeywordsAnswer:
        """List keywords with their figures.

        All keywords and targets of the channels that match the filters, also those without
        figures in the range. Figures are those of the dates from fromDate to toDate, each date
        being the store's own. Amounts are converted at the rate of their date and then summed;
        ratios are formed last, from sums, and are 0 without a denominator. Texts are sorted
        without regard to letter case, "" last; rows that are equal are sorted by their
        identifier, rising. A keyword that is known by its figures only has "" for a text and
        for a status.
        """
        return self._call(OPERATIONS["list_keywords"], "list_keywords", input, options)

    def list_products(
        self, input: schemas.ListProductsInput, **options: Unpack[CallOptions]
    ) -> schemas.ListProductsAnswer:
        """List advertised products with their figures.

        The products of the channels that have figures in the range. Figures are those of the
        dates from fromDate to toDate, each date being the store's own. Amounts are converted at
        the rate of their date and then summed; ratios are formed last, from sums, and are 0
        without a denominator. Texts are sorted without regard to letter case, "" last; rows
        that are equal are sorted by their identifier, rising.
        """
        return self._call(OPERATIONS["list_products"], "list_products", input, options)

    def read_targets(
        self, input: schemas.ReadTargetsInput, **options: Unpack[CallOptions]
    ) -> schemas.ReadTargetsAnswer:
        """Read targets.

        Sales budget, sales forecast and advertising spend budget of a channel, bucket by
        bucket. A target of a month is spread evenly over its days in the smallest unit of the
        channel's currency, so that they add up to it exactly; what is left over goes to its
        first days. A target of a date takes the place of its share. A bucket has the targets of
        every date that it touches, null where none of them has one; the totals are the sums of
        the buckets. Buckets are calendar buckets of the time zone, the first and the last
        clipped to the range.
        """
        return self._call(OPERATIONS["read_targets"], "read_targets", input, options)

    def list_search_query_performance(
        self, input: schemas.ListSearchQueryPerformanceInput, **options: Unpack[CallOptions]
    ) -> schemas.ListSearchQueryPerformanceAnswer:
        """List Search Query Performance by products.

        The results of searches on the primary marketplace by product, summed over queries and
        months, with a comparison period. Figures are monthly: both periods are widened to whole
        months of the time zone, and meta.dateRange returns the dates used.

        Rows are products with figures in either period: those of asins, or else those with the
        most impressions in the current period, up to the number of the organisation's
        entitlement. Rows are sorted by figures of the current period, and equal ones by asin,
        ascending. A period without figures of a product has zeros. Amounts are converted at the
        mean of the daily reference rates of their month, summed, and rounded once.

        The channel's marketplace must be primarymkt, and the organisation must have access to
        Search Query Performance.
        """
        return self._call(OPERATIONS["list_search_query_performance"], "list_search_query_performance", input, options)

    def create_webhook(
        self, input: schemas.CreateWebhookRequest, **options: Unpack[CallOptions]
    ) -> schemas.CreateWebhookAnswer:
        """Create a webhook.

        Has events sent to an address, signed by the [Standard
        Webhooks](https://www.standardwebhooks.com) with the secret of this answer. A webhook
        hears only of channels that its user reaches. Owners and administrators manage the
        webhooks of their organisation; those whose channels are restricted, only their own.
        """
        return self._call(OPERATIONS["create_webhook"], "create_webhook", input, options)

    def list_webhooks(
        self, input: schemas.ListWebhooksInput | None = None, **options: Unpack[CallOptions]
    ) -> schemas.ListWebhooksAnswer:
        """List webhooks.

        Newest first, without their secrets. Owners and administrators manage the webhooks of
        their organisation; those whose channels are restricted, only their own.
        """
        return self._call(OPERATIONS["list_webhooks"], "list_webhooks", input, options)

    def change_webhook(
        self, input: schemas.ChangeWebhookInput, **options: Unpack[CallOptions]
    ) -> schemas.Webhook:
        """Change a webhook.

        Absent fields stay unchanged. Deliveries that wait go to the new address. While a
        webhook is paused it hears of nothing, and deliveries that waited are dropped; they can
        be replayed.
        """
        return self._call(OPERATIONS["change_webhook"], "change_webhook", input, options)

    def delete_webhook(
        self, input: schemas.DeleteWebhookInput, **options: Unpack[CallOptions]
    ) -> None:
        """Delete a webhook.

        Its deliveries are deleted with it; none is sent any more.
        """
        return self._call(OPERATIONS["delete_webhook"], "delete_webhook", input, options)

    def list_webhook_deliveries(
        self, input: schemas.ListWebhookDeliveriesInput, **options: Unpack[CallOptions]
    ) -> schemas.ListWebhookDeliveriesAnswer:
        """List the deliveries of a webhook.

        The deliveries of the last 30 days about channels within reach, newest first. A delivery
        is tried for a day, ever less often, until an answer has a status of 200 to 299.
        """
        return self._call(OPERATIONS["list_webhook_deliveries"], "list_webhook_deliveries", input, options)

    def replay_webhook_delivery(
        self, input: schemas.ReplayWebhookDeliveryInput, **options: Unpack[CallOptions]
    ) -> schemas.ReplayWebhookDeliveryAnswer:
        """Replay a delivery.

        Sends the event again, with the same webhook-id and body and a new signature. Status 409
        while the delivery still waits or the webhook is not enabled.
        """
        return self._call(OPERATIONS["replay_webhook_delivery"], "replay_webhook_delivery", input, options)

    def rotate_webhook_secret(
        self, input: schemas.RotateWebhookSecretInput, **options: Unpack[CallOptions]
    ) -> schemas.RotateWebhookSecretAnswer:
        """Rotate the secret of a webhook.

        Makes a new secret. For graceSeconds deliveries carry two signatures, by the new secret
        and by the one before, so that receivers can change at their own time.
        """
        return self._call(OPERATIONS["rotate_webhook_secret"], "rotate_webhook_secret", input, options)

    def test_webhook(
        self, input: schemas.TestWebhookInput, **options: Unpack[CallOptions]
    ) -> schemas.TestWebhookAnswer:
        """Send a test to a webhook.

        Sends the event webhook.ping, about the first channel within reach. The list of
        deliveries shows what came of it. Status 409 while the webhook is not enabled or reaches
        no channel.
        """
        return self._call(OPERATIONS["test_webhook"], "test_webhook", input, options)

    def create_schedule(
        self, input: schemas.CreateScheduleRequest, **options: Unpack[CallOptions]
    ) -> schemas.Schedule:
        """Create a schedule.

        Runs an operation at the times of a cron expression and keeps the answer as a file for
        30 days. Webhooks hear of each run by the events schedule.finished and schedule.failed.
        A schedule reads as its user and by the key that created it: it ends with either. A
        service that was down at a time runs it once, for the last time that it missed. Owners
        and administrators manage the schedules of their organisation; those whose channels are
        restricted, only their own.
        """
        return self._call(OPERATIONS["create_schedule"], "create_schedule", input, options)

    def list_schedules(
        self, input: schemas.ListSchedulesInput | None = None, **options: Unpack[CallOptions]
    ) -> schemas.ListSchedulesAnswer:
        """List schedules.

        Newest first, each with the next 5 times. Owners and administrators manage the schedules
        of their organisation; those whose channels are restricted, only their own.
        """
        return self._call(OPERATIONS["list_schedules"], "list_schedules", input, options)

    def change_schedule(
        self, input: schemas.ChangeScheduleInput, **options: Unpack[CallOptions]
    ) -> schemas.Schedule:
        """Change a schedule.

        Absent fields stay unchanged. A schedule that is enabled again runs from the next time
        on; times that have passed are not made up for.
        """
        return self._call(OPERATIONS["change_schedule"], "change_schedule", input, options)

    def delete_schedule(
        self, input: schemas.DeleteScheduleInput, **options: Unpack[CallOptions]
    ) -> None:
        """Delete a schedule.

        Its runs and their files are deleted with it; reports that it created stay.
        """
        return self._call(OPERATIONS["delete_schedule"], "delete_schedule", input, options)

    def run_schedule(
        self, input: schemas.RunScheduleInput, **options: Unpack[CallOptions]
    ) -> schemas.RunScheduleAnswer:
        """Run a schedule now.

        A run beside those of its times, with the period of now. 409 while it is disabled, and
        429 after 30 runs of the organisation within an hour.
        """
        return self._call(OPERATIONS["run_schedule"], "run_schedule", input, options)

    def list_schedule_runs(
        self, input: schemas.ListScheduleRunsInput, **options: Unpack[CallOptions]
    ) -> schemas.ListScheduleRunsAnswer:
        """List the runs of a schedule.

        The runs of the last 30 days, newest first, with links to their files.
        """
        return self._call(OPERATIONS["list_schedule_runs"], "list_schedule_runs", input, options)

    @overload
    def pages(
        self,
        name: Literal["list_tags"],
        input: schemas.ListTagsInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListTagsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_custom_groups"],
        input: schemas.ListCustomGroupsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListCustomGroupsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["view_advertising_by_channels"],
        input: schemas.ViewAdvertisingByChannelsRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ViewAdvertisingByChannelsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["view_sales_by_product"],
        input: schemas.ViewSalesByProductRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ViewSalesByProductAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["view_sales_by_channel"],
        input: schemas.ViewSalesByChannelRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ViewSalesByChannelAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_reports"],
        input: schemas.ListReportsInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListReportsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_orders"],
        input: schemas.ListOrdersRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListOrdersAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["read_product_profit_and_loss"],
        input: schemas.ReadProductProfitAndLossRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ReadProductProfitAndLossAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_ad_groups"],
        input: schemas.ListAdGroupsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListAdGroupsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_campaigns"],
        input: schemas.ListCampaignsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListCampaignsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_keywords"],
        input: schemas.ListKeywordsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListKeywordsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_products"],
        input: schemas.ListProductsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListProductsAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_search_query_performance"],
        input: schemas.ListSearchQueryPerformanceInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListSearchQueryPerformanceAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_webhooks"],
        input: schemas.ListWebhooksInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListWebhooksAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_webhook_deliveries"],
        input: schemas.ListWebhookDeliveriesInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListWebhookDeliveriesAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_schedules"],
        input: schemas.ListSchedulesInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListSchedulesAnswer]: ...

    @overload
    def pages(
        self,
        name: Literal["list_schedule_runs"],
        input: schemas.ListScheduleRunsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListScheduleRunsAnswer]: ...

    def pages(
        self, name: str, input: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Any]:
        """Reads the pages of a list one after another, from the page that the input names."""
        return self._pages(name, OPERATIONS[name], PAGINGS[name], input, options)

    @overload
    def rows(
        self,
        name: Literal["list_tags"],
        input: schemas.ListTagsInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.TagSet]: ...

    @overload
    def rows(
        self,
        name: Literal["list_custom_groups"],
        input: schemas.ListCustomGroupsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListedCustomGroup]: ...

    @overload
    def rows(
        self,
        name: Literal["view_advertising_by_channels"],
        input: schemas.ViewAdvertisingByChannelsRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.AdvertisingByChannelItem]: ...

    @overload
    def rows(
        self,
        name: Literal["view_sales_by_product"],
        input: schemas.ViewSalesByProductRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.SalesByProductRow]: ...

    @overload
    def rows(
        self,
        name: Literal["view_sales_by_channel"],
        input: schemas.ViewSalesByChannelRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.SalesByChannelRow]: ...

    @overload
    def rows(
        self,
        name: Literal["list_reports"],
        input: schemas.ListReportsInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ListedReport]: ...

    @overload
    def rows(
        self,
        name: Literal["list_orders"],
        input: schemas.ListOrdersRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.Order]: ...

    @overload
    def rows(
        self,
        name: Literal["read_product_profit_and_loss"],
        input: schemas.ReadProductProfitAndLossRequest,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ProductProfitAndLoss]: ...

    @overload
    def rows(
        self,
        name: Literal["list_ad_groups"],
        input: schemas.ListAdGroupsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.AdGroup]: ...

    @overload
    def rows(
        self,
        name: Literal["list_campaigns"],
        input: schemas.ListCampaignsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.Campaign]: ...

    @overload
    def rows(
        self,
        name: Literal["list_keywords"],
        input: schemas.ListKeywordsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.Keyword]: ...

    @overload
    def rows(
        self,
        name: Literal["list_products"],
        input: schemas.ListProductsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.AdvertisedProduct]: ...

    @overload
    def rows(
        self,
        name: Literal["list_search_query_performance"],
        input: schemas.ListSearchQueryPerformanceInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.SqpRow]: ...

    @overload
    def rows(
        self,
        name: Literal["list_webhooks"],
        input: schemas.ListWebhooksInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.Webhook]: ...

    @overload
    def rows(
        self,
        name: Literal["list_webhook_deliveries"],
        input: schemas.ListWebhookDeliveriesInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.WebhookDelivery]: ...

    @overload
    def rows(
        self,
        name: Literal["list_schedules"],
        input: schemas.ListSchedulesInput | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.Schedule]: ...

    @overload
    def rows(
        self,
        name: Literal["list_schedule_runs"],
        input: schemas.ListScheduleRunsInput,
        **options: Unpack[CallOptions],
    ) -> Iterator[schemas.ScheduleRun]: ...

    def rows(
        self, name: str, input: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Any]:
        """Reads the rows of a list one after another, from the page that the input names."""
        return self._rows(name, OPERATIONS[name], PAGINGS[name], input, options)

/** The searches of buyers, by channel and product family. */

/** Search terms of each product family, most popular first, divided by "|". */
const terms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'northwind-us': {
    'Insulated Bottle 750 ml':
      'water bottle|insulated water bottle|stainless steel water bottle|metal water bottle 25 oz|vacuum insulated bottle|hiking water bottle|leak proof gym bottle|insulated bottle 750 ml',
    'Trail Day Pack 25 L':
      'hiking backpack|day pack|small hiking backpack|day pack for hiking women|lightweight backpack 25l|trail backpack with rain cover',
    'Headlamp 400 lm, rechargeable':
      'headlamp|rechargeable headlamp|led headlamp for adults|camping headlamp|running headlamp lightweight|head lamp usb c|headlamp 400 lumens',
    'Merino Hiking Socks, 3 pairs':
      'hiking socks|merino wool socks|wool hiking socks women|merino socks men 3 pack|warm boot socks|cushioned trail socks',
    'Folding Camp Chair':
      'camping chair|folding chair outdoor|camp chair lightweight|portable beach chair|backpacking chair|camp chair with side pocket',
    'Camp Cookset for Two':
      'camping cookware|camp cook set|backpacking pot and pan|camping mess kit for 2|nesting camp cookset',
    'Carbon Trekking Poles, pair':
      'trekking poles|hiking poles collapsible|carbon fiber trekking poles|walking poles for seniors|ultralight trekking poles pair',
    'Roll-top Dry Bag':
      'dry bag|waterproof bag kayak|dry bag 10l|roll top dry bag|dry sack for boating',
  },
  'northwind-uk': {
    'Insulated Bottle 750 ml':
      'water bottle|insulated water bottle|stainless steel water bottle|metal water bottle 750ml|flask bottle for hot drinks|walking water bottle|leakproof gym bottle|insulated bottle 750 ml',
    'Trail Day Pack 25 L':
      'hiking rucksack|day sack|small walking rucksack|womens rucksack 25l|lightweight rucksack 25l|rucksack with rain cover',
    'Headlamp 400 lm, rechargeable':
      'head torch|rechargeable head torch|head torch running|led head torch|head torch usb c|head torch 400 lumens',
    'Merino Hiking Socks, 3 pairs':
      'walking socks|merino socks|walking socks mens|merino wool socks women 3 pack|warm hiking socks',
    'Folding Camp Chair':
      'camping chair|folding camping chair|festival chair|fishing chair lightweight|camping chair with bag',
    'Camp Cookset for Two':
      'camping cook set|camping pots and pans|cook set for two|wild camping cook set|trangia alternative cook set',
    'Carbon Trekking Poles, pair':
      'walking poles|trekking poles|carbon walking poles|folding walking poles|lightweight trekking poles pair',
    'Roll-top Dry Bag':
      'dry bag|waterproof bag kayak|dry bag 10l|paddle board dry bag|roll top dry bag',
  },
  'northwind-de': {
    'Insulated Bottle 750 ml':
      'trinkflasche edelstahl|thermosflasche|isolierflasche|trinkflasche 750 ml|wasserflasche auslaufsicher|thermoflasche wandern|edelstahl isolierflasche 750 ml',
    'Trail Day Pack 25 L':
      'wanderrucksack|rucksack 25 liter|tagesrucksack herren|wanderrucksack damen 25l|leichter rucksack wandern|trekkingrucksack mit regenhülle',
    'Headlamp 400 lm, rechargeable':
      'stirnlampe|stirnlampe led wiederaufladbar|kopflampe|stirnlampe joggen|stirnlampe usb c|stirnlampe 400 lumen',
    'Merino Hiking Socks, 3 pairs':
      'wandersocken|merino socken|wandersocken herren|merinosocken damen 3er pack|trekkingsocken warm',
    'Folding Camp Chair':
      'campingstuhl|campingstuhl faltbar|klappstuhl outdoor|angelstuhl leicht|faltstuhl mit tasche',
    'Camp Cookset for Two':
      'campinggeschirr|camping kochset|camping topfset|outdoor kochgeschirr 2 personen|trekking kochset',
    'Carbon Trekking Poles, pair':
      'wanderstöcke|trekkingstöcke|trekkingstöcke carbon|wanderstöcke faltbar|trekkingstöcke ultraleicht paar',
    'Roll-top Dry Bag':
      'dry bag|wasserdichter packsack|packsack 10 liter|drybag sup|seesack wasserdicht rolltop',
  },
  'northwind-jp': {
    'Insulated Bottle 750 ml':
      '水筒|ステンレスボトル|真空断熱ボトル|水筒 750ml|保温 水筒|登山 水筒|直飲み 水筒 大人',
    'Trail Day Pack 25 L':
      '登山リュック|ハイキング リュック|デイパック|リュック 25l|登山リュック レディース|軽量 リュック レインカバー付き',
    'Headlamp 400 lm, rechargeable':
      'ヘッドライト|ヘッドライト 充電式|ledヘッドライト|ヘッドライト 登山|ヘッドライト usb|ヘッドライト 釣り',
    'Merino Hiking Socks, 3 pairs':
      '登山 靴下|メリノウール 靴下|トレッキングソックス|厚手 靴下 メンズ|防寒 靴下',
    'Folding Camp Chair':
      'キャンプ椅子|アウトドアチェア|折りたたみ椅子|キャンプチェア 軽量|釣り 椅子',
    'Camp Cookset for Two': 'クッカー|キャンプ 鍋|クッカーセット|登山 クッカー|アウトドア 調理器具',
    'Carbon Trekking Poles, pair':
      'トレッキングポール|登山 ストック|カーボン トレッキングポール|折りたたみ ストック|軽量 登山杖',
    'Roll-top Dry Bag': 'ドライバッグ|防水バッグ|ドライバッグ 10l|sup 防水バッグ|防水リュック',
  },
  'northwind-au': {
    'Insulated Bottle 750 ml':
      'water bottle|insulated water bottle|stainless steel water bottle|metal water bottle 25 oz|vacuum insulated bottle|hiking water bottle|leak proof gym bottle|insulated bottle 750 ml',
    'Trail Day Pack 25 L':
      'hiking backpack|day pack|small hiking backpack|day pack for hiking women|lightweight backpack 25l|trail backpack with rain cover',
    'Headlamp 400 lm, rechargeable':
      'head torch|headlamp rechargeable|led head torch|headlamp running|head torch usb c|head torch 400 lumens',
    'Merino Hiking Socks, 3 pairs':
      'hiking socks|merino wool socks|wool hiking socks women|merino socks men 3 pack|warm boot socks|cushioned trail socks',
    'Folding Camp Chair':
      'camping chair|folding camp chair|beach chair|fishing chair lightweight|camp chair with bag',
    'Camp Cookset for Two':
      'camping cook set|camping cookware|hiking cookset|cook set for two|ultralight cook set',
    'Carbon Trekking Poles, pair':
      'hiking poles|trekking poles|carbon hiking poles|folding walking poles|ultralight trekking poles pair',
    'Roll-top Dry Bag':
      'dry bag|waterproof bag kayak|dry bag 10l|roll top dry bag|dry sack for boating',
  },
  'northwind-vendor-us': {
    'Soft Cooler 20 L':
      'soft cooler|insulated cooler bag|beach cooler|leakproof cooler bag|cooler bag 30 cans|lunch cooler for men',
    'Enamel Mug 350 ml':
      'enamel mug|camping mug|camp coffee mug|enamel cup set|metal mug for coffee|campfire mug',
    'Pocket Gas Stove':
      'camping stove|backpacking stove|pocket stove|gas stove camping|ultralight stove|hiking stove',
    'Straw Water Filter':
      'water filter straw|survival water filter|hiking water filter|portable water filter|straw filter for drinking',
    'Fleece Travel Blanket':
      'fleece blanket|travel blanket|airplane blanket|camping blanket|soft throw blanket|blanket in a bag',
  },
};

/** The search terms of a product family on a channel, most popular first; none where unknown. */
export function searchTermsOf(channelId: string, family: string): readonly string[] {
  return terms[channelId]?.[family]?.split('|') ?? [];
}

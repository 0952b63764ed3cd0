/** The kind of fact that a question asks for. */
export type AskedFact = 'number' | 'time' | 'person' | 'place';

/** `numerals`: amounts written as words. */
type Asking = Readonly<Record<AskedFact | 'numerals', string>>;

/**
 * Alternatives of a regular expression, by language. A word that also joins clauses counts as a question word only at
 * the beginning (`^`).
 */
export const ASKING: Readonly<Record<string, Asking>> = {
  en: {
    number:
      'how (?:many|much|long|old|far|tall|high|wide|deep|heavy|large|big|fast|often)|' +
      '(?:what|which) (?:percentage|percent|proportion|fraction)',
    time:
      '^(?:(?:since|until|by|from) )?when(?! \\p{L}+ing )(?!.*, (?:what|which|who|how|why|where|it|you|can|is|do))|when$|' +
      '(?:what|which) (?:year|date|day|month|century|decade)',
    person: '^(?:(?:to|by|from|for|with|of) )?who(?:m|se)?|who$',
    place:
      '^(?:(?:from|to|in|at) )?where|where$|^(?:in|at|on|from) (?:what|which) (?:city|country|state|place|town|region)',
    numerals:
      'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\p{L}{3,5}teen|twenty|thirty|forty|fifty|' +
      'sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|third|' +
      'quarter|unlimited|unanimous|several|both|most|many|few|all|none|no|one|single|once|every',
  },
  ar: {
    number: 'كم|بكم',
    time: 'متى|(?:أي|اي) (?:عام|سنة|يوم|شهر|قرن|تاريخ)',
    person: '^(?:و)?من',
    place: 'أين|اين|(?:أي|اي) (?:مدينة|بلد|دولة|مكان|منطقة)',
    numerals:
      'واحد|واحدة|اثنان|اثنين|ثلاثة|ثلاث|أربعة|أربع|خمسة|خمس|ستة|ست|سبعة|سبع|ثمانية|ثمان|تسعة|تسع|عشرة|عشر|' +
      'مائة|مئة|ألف|آلاف|مليون|نصف|جميع|كل',
  },
  de: {
    number: 'wie ?viele?[nr]?|wie (?:lange?|groß|hoch|weit|alt|oft|schnell|schwer|teuer|tief|breit)',
    time: 'wann|welche[msn]? (?:jahr|tag|monat|jahrhundert|datum)',
    person: 'wer|wem|wen|wessen',
    place: 'wo|woher|wohin|welche[mr] (?:stadt|land|ort|region)',
    numerals:
      'ein(?:e[nmrs]?)?|zwei\\p{L}*|drei\\p{L}*|vier\\p{L}*|fünf\\p{L}*|sechs\\p{L}*|sieben\\p{L}*|acht\\p{L}*|neun\\p{L}*|zehn\\p{L}*|elf|zwölf|\\p{L}*hundert\\p{L}*|\\p{L}*tausend\\p{L}*|million\\p{L}*|milliarde\\p{L}*|hälfte|halb\\p{L}*|mehrere|alle|keine?',
  },
  el: {
    number: 'πόσ(?:ο|α|οι|ες|ους|ων|η|ος)|ποσ(?:ο|α|οι|ες|ους|ων)|τι ποσοστό',
    time: 'πότε|ποτε|(?:ποιο|ποια|ποιον) (?:έτος|χρονιά|χρόνο|αιώνα|ημερομηνία|μήνα)',
    person: 'ποιος|ποιοι|ποιον|ποιους',
    place: 'πού|^που|(?:ποια|ποιο) (?:πόλη|χώρα|μέρος|περιοχή)',
    numerals:
      'ένας|ένα|μία|δύο|δυο|τρεις|τρία|τέσσερις|τέσσερα|πέντε|έξι|επτά|εφτά|οκτώ|οχτώ|εννέα|δέκα|εκατό|' +
      'χίλια|χιλιάδες|εκατομμύρια|μισό|μισά|όλα|όλες|όλοι',
  },
  es: {
    number: 'cu[aá]nt[oa]s?|qué (?:porcentaje|proporción)',
    time: 'cuándo|^cuando|qu[eé] (?:año|fecha|día|mes|siglo)',
    person: 'qui[eé]n(?:es)?',
    place: 'dónde|^(?:(?:de|en|a) )?donde|qu[eé] (?:ciudad|país|lugar|región|estado)',
    numerals:
      'un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\\p{L}*veint\\p{L}*|\\p{L}{3,}enta|cien|ciento|\\p{L}*cient[oa]s|mil|miles|millón|millones|mitad|varios|varias|tod[oa]s|ningun[oa]',
  },
  fr: {
    number: 'combien|quel(?:le)? (?:pourcentage|proportion)',
    time: '^quand|quand$|quel(?:le)? (?:année|date|jour|mois|siècle)',
    person: '^qui|qui$|(?:à|de|par|avec|pour|chez) qui',
    place: 'où|quel(?:le)? (?:ville|pays|lieu|région)',
    numerals:
      'une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|' +
      'cents?|mille|milliers|millions?|milliards?|moitié|demie?|plusieurs|tou(?:s|tes)|aucune?',
  },
  hi: {
    number: 'कितन[ाीे]|कितनों|कितने',
    time: 'कब|किस (?:वर्ष|साल|दिन|महीने|सदी|तारीख)',
    person: 'कौन|किसने|किसको|किसे',
    place: 'कहाँ|कहां|किस (?:शहर|देश|स्थान|जगह|राज्य)',
    numerals: 'एक|दो|तीन|चार|पांच|पाँच|छह|सात|आठ|नौ|दस|बारह|बीस|सौ|हजार|हज़ार|लाख|करोड़|मिलियन|आधा|आधे|सभी',
  },
  it: {
    number: 'quant[oiae]|(?:che|quale) percentuale',
    time: '^quando|quando$|(?:che|quale) (?:anno|data|giorno|mese|secolo)',
    person: 'chi',
    place: 'dove|(?:che|quale) (?:città|paese|luogo|regione)',
    numerals:
      'un[oa]?|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|venti|\\p{L}{3,}anta|cento|mille|mila|milion[ei]|miliard[oi]|metà|tutt[ei]|nessun[oa]?',
  },
  ja: {
    number:
      'いくつ|いくら|何(?:人|個|回|本|枚|年間|パーセント|％|%|キロ|メートル|歳|種類|倍)|ど(?:の|れ)(?:くらい|ぐらい)|どれだけ',
    time: 'いつ|何(?:年|月|日|時|世紀)',
    person: '誰|だれ|どなた',
    place: 'どこ|何処',
    numerals: '[一二三四五六七八九十百千万億半]|全て|すべて',
  },
  ko: {
    number: '몇|얼마',
    time: '언제|몇 ?(?:년|월|일|시)|어느 (?:해|날)',
    person: '누구|누가',
    place: '어디|어느 (?:도시|나라|곳)',
    numerals: '하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉|열|스물|백|천|만|절반|모든',
  },
  nl: {
    number: 'hoeveel|hoe (?:lang|groot|hoog|ver|oud|vaak|snel|zwaar|duur|diep|breed)',
    time: 'wanneer|welke? (?:jaar|datum|dag|maand|eeuw)',
    person: 'wie|wiens',
    place: 'waar|waarheen|waarvandaan|welke? (?:stad|land|plaats|regio)',
    numerals:
      'een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|\\p{L}*twintig|\\p{L}*honderd|' +
      '\\p{L}*duizend|miljoen|miljard|helft|alle|geen',
  },
  pl: {
    number: 'ile|ilu|jak (?:długo|często|daleko|duż[oy])',
    time: 'kiedy|(?:jakim|którym) (?:roku|wieku|dniu)',
    person: 'kto|kogo|komu|kim',
    place: 'gdzie|skąd|dokąd|(?:jakim|którym) (?:mieście|kraju|miejscu)',
    numerals:
      'jeden|jedna|jedno|dwa|dwie|dwóch|trzy|trzech|cztery|czterech|pięć|pięciu|sześć|siedem|osiem|dziewięć|' +
      'dziesięć|dwanaście|sto|tysiąc|tysięcy|milion\\p{L}*|miliard\\p{L}*|połow\\p{L}*|wszystkie|żaden',
  },
  pt: {
    number: 'quant[oa]s?|(?:que|qual) (?:porcentagem|percentagem|proporção)',
    time: '^quando|quando$|(?:que|qual) (?:ano|data|dia|mês|século)',
    person: 'quem',
    place: 'onde|aonde|que (?:cidade|país|lugar|região|estado)',
    numerals:
      'uma?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|vinte|\\p{L}{3,}enta|cem|cento|' +
      'mil|milhão|milhões|metade|tod[oa]s|nenhuma?',
  },
  ro: {
    number: 'câ[tț]|câ(?:te|ți|ţi|tă|ta)|ce procent',
    time: '^când|când$|ce (?:an|anul|zi|lună|secol|dată)',
    person: 'cine|cui',
    place: 'unde|ce (?:oraș|țară|loc|regiune)',
    numerals:
      'un|una|unu|doi|două|trei|patru|cinci|șase|șapte|opt|nouă|zece|unsprezece|doisprezece|douăzeci|sută|' +
      'sute|mie|mii|milion|milioane|jumătate|toate|toți|niciun',
  },
  ru: {
    number: 'скольк(?:о|их|им|ими)|как (?:долго|часто|далеко)|какой процент',
    time: 'когда|как(?:ом|ой|ого) (?:год|году|года|веке|числа|день)',
    person: 'кто|кого|кому|кем|ком',
    place: 'где|куда|откуда|как(?:ом|ой) (?:городе|стране|месте)',
    numerals:
      'один|одна|одно|два|две|двух|три|трёх|трех|четыре|четырёх|пять|пяти|шесть|семь|восемь|девять|десять|' +
      'двенадцать|двадцать|сто|тысяч\\p{L}*|миллион\\p{L}*|миллиард\\p{L}*|половин\\p{L}*|все|ни один',
  },
  th: {
    number: 'เท่าไร|เท่าไหร่|เท่าใด|กี่|มากแค่ไหน|นานแค่ไหน',
    time: 'เมื่อไร|เมื่อไหร่|เมื่อใด|(?:ปี|วัน|เดือน|ศตวรรษ)(?:ใด|ไหน|อะไร)',
    person: 'ใคร|ผู้ใด',
    place: 'ที่ไหน|ที่ใด|แห่งใด|แห่งไหน|(?:เมือง|ประเทศ|รัฐ)(?:ใด|ไหน|อะไร)',
    numerals: 'หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย|พัน|ล้าน|ครึ่ง|ทั้งหมด',
  },
  tr: {
    number: 'kaç|kaçı|kaçta|ne kadar|yüzde kaç\\p{L}*',
    time: 'ne zaman|hangi (?:yıl\\p{L}*|tarih\\p{L}*|gün\\p{L}*|ay\\p{L}*|yüzyıl\\p{L}*)|kaç yılında',
    person: 'kim|kime|kimi|kimin|kimdir|kimler|kimlerdir|kim tarafından',
    place: 'nere\\p{L}*|hangi (?:şehir\\p{L}*|şehr\\p{L}*|ülke\\p{L}*|yer\\p{L}*|bölge\\p{L}*)',
    numerals: 'bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on|yirmi|yüz|bin|milyon|milyar|yarım|yarısı|tüm|hiç\\p{L}*',
  },
  vi: {
    number: 'bao nhiêu|mấy|bao (?:lâu|xa)|tỷ lệ nào',
    time: 'khi nào|bao giờ|lúc nào|(?:năm|ngày|tháng|thế kỷ) (?:nào|mấy|bao nhiêu)',
    person: 'ai',
    place: 'ở đâu|đâu|(?:thành phố|nước|quốc gia|nơi|bang) nào',
    numerals: 'một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười|trăm|nghìn|ngàn|triệu|tỷ|nửa|tất cả',
  },
  zh: {
    number: '多少|几(?!乎|何)|幾(?!乎|何)|多(?:大|长|長|久|高|远|遠|快|深|重)',
    time: '什么时候|什麼時候|何时|何時|哪(?:一|个|個)?(?:年|天|月|日|世纪|世紀)|几(?:年|月|点)',
    person: '谁|誰|哪位',
    place:
      '哪里|哪裡|哪儿|哪兒|何处|何處|何地|什么地方|什麼地方|哪(?:一)?(?:个|個|座)?(?:城市|国家|國家|地方|州|省|地区)',
    numerals: '[一二三四五六七八九十百千万萬亿億两兩半]|所有|全部',
  },
};

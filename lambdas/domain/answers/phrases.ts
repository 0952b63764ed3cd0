/** Texts that the service adds to answers, in one language. */
export type Phrases = {
  readonly refusal: string;
  /** Introduces the titles of suggested pages. */
  readonly instead: string;
  readonly otherWords: string;
  readonly leftOut: string;
  readonly brokenOff: string;
};

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    refusal: 'These pages do not answer this question.',
    instead: 'You could ask about:',
    otherWords: 'Try other words.',
    leftOut: 'Statements that the sources do not support were left out.',
    brokenOff: 'The answer broke off here.',
  },
  de: {
    refusal: 'Diese Seiten beantworten die Frage nicht.',
    instead: 'Fragen Sie zum Beispiel nach:',
    otherWords: 'Versuchen Sie es mit anderen Wörtern.',
    leftOut: 'Aussagen, die die Quellen nicht belegen, wurden weggelassen.',
    brokenOff: 'Die Antwort brach hier ab.',
  },
  es: {
    refusal: 'Estas páginas no responden a esta pregunta.',
    instead: 'Puede preguntar por:',
    otherWords: 'Pruebe con otras palabras.',
    leftOut: 'Se omitieron afirmaciones que las fuentes no respaldan.',
    brokenOff: 'La respuesta se interrumpió aquí.',
  },
  fr: {
    refusal: 'Ces pages ne répondent pas à cette question.',
    instead: 'Vous pouvez demander :',
    otherWords: 'Essayez avec d’autres mots.',
    leftOut: 'Les affirmations que les sources ne confirment pas ont été omises.',
    brokenOff: 'La réponse s’est interrompue ici.',
  },
  it: {
    refusal: 'Queste pagine non rispondono a questa domanda.',
    instead: 'Può chiedere di:',
    otherWords: 'Provi con altre parole.',
    leftOut: 'Le affermazioni che le fonti non confermano sono state omesse.',
    brokenOff: 'La risposta si è interrotta qui.',
  },
  nl: {
    refusal: 'Deze pagina’s beantwoorden de vraag niet.',
    instead: 'U kunt vragen naar:',
    otherWords: 'Probeer andere woorden.',
    leftOut: 'Uitspraken die de bronnen niet ondersteunen, zijn weggelaten.',
    brokenOff: 'Het antwoord brak hier af.',
  },
  pt: {
    refusal: 'Estas páginas não respondem a esta pergunta.',
    instead: 'Pode perguntar sobre:',
    otherWords: 'Tente com outras palavras.',
    leftOut: 'As afirmações que as fontes não confirmam foram omitidas.',
    brokenOff: 'A resposta foi interrompida aqui.',
  },
  ar: {
    refusal: 'هذه الصفحات لا تجيب عن هذا السؤال.',
    instead: 'يمكنك أن تسأل عن:',
    otherWords: 'جرّب كلمات أخرى.',
    leftOut: 'حُذفت عبارات لا تدعمها المصادر.',
    brokenOff: 'انقطعت الإجابة هنا.',
  },
  el: {
    refusal: 'Αυτές οι σελίδες δεν απαντούν σε αυτή την ερώτηση.',
    instead: 'Μπορείτε να ρωτήσετε για:',
    otherWords: 'Δοκιμάστε με άλλες λέξεις.',
    leftOut: 'Παραλείφθηκαν προτάσεις που δεν τεκμηριώνονται από τις πηγές.',
    brokenOff: 'Η απάντηση διακόπηκε εδώ.',
  },
  hi: {
    refusal: 'ये पृष्ठ इस प्रश्न का उत्तर नहीं देते।',
    instead: 'आप इनके बारे में पूछ सकते हैं:',
    otherWords: 'दूसरे शब्दों में पूछकर देखें।',
    leftOut: 'जिन बातों की स्रोत पुष्टि नहीं करते, वे छोड़ दी गईं।',
    brokenOff: 'उत्तर यहाँ बीच में रुक गया।',
  },
  ja: {
    refusal: 'これらのページには、この質問への答えがありません。',
    instead: '次のページについて質問できます：',
    otherWords: '別の言葉でお試しください。',
    leftOut: '出典で裏付けられない記述は省きました。',
    brokenOff: '回答はここで途切れました。',
  },
  ko: {
    refusal: '이 페이지들에는 이 질문에 대한 답이 없습니다.',
    instead: '다음에 대해 질문할 수 있습니다:',
    otherWords: '다른 단어로 질문해 보세요.',
    leftOut: '출처로 뒷받침되지 않는 내용은 생략했습니다.',
    brokenOff: '답변이 여기서 중단되었습니다.',
  },
  pl: {
    refusal: 'Te strony nie odpowiadają na to pytanie.',
    instead: 'Można zapytać o:',
    otherWords: 'Proszę spróbować użyć innych słów.',
    leftOut: 'Pominięto stwierdzenia, których źródła nie potwierdzają.',
    brokenOff: 'Odpowiedź urwała się w tym miejscu.',
  },
  ro: {
    refusal: 'Aceste pagini nu răspund la această întrebare.',
    instead: 'Puteți întreba despre:',
    otherWords: 'Încercați cu alte cuvinte.',
    leftOut: 'Au fost omise afirmațiile pe care sursele nu le susțin.',
    brokenOff: 'Răspunsul s-a întrerupt aici.',
  },
  ru: {
    refusal: 'Эти страницы не отвечают на этот вопрос.',
    instead: 'Можно спросить о следующем:',
    otherWords: 'Попробуйте другие слова.',
    leftOut: 'Утверждения, не подтверждённые источниками, опущены.',
    brokenOff: 'Здесь ответ прервался.',
  },
  th: {
    refusal: 'หน้าเหล่านี้ไม่มีคำตอบสำหรับคำถามนี้',
    instead: 'คุณอาจถามเกี่ยวกับ:',
    otherWords: 'ลองใช้คำอื่น',
    leftOut: 'ข้อความที่แหล่งข้อมูลไม่สนับสนุนถูกตัดออก',
    brokenOff: 'คำตอบขาดหายไปตรงนี้',
  },
  tr: {
    refusal: 'Bu sayfalar bu soruyu yanıtlamıyor.',
    instead: 'Şunları sorabilirsiniz:',
    otherWords: 'Başka sözcüklerle deneyin.',
    leftOut: 'Kaynakların desteklemediği ifadeler çıkarıldı.',
    brokenOff: 'Yanıt burada kesildi.',
  },
  vi: {
    refusal: 'Các trang này không trả lời câu hỏi này.',
    instead: 'Bạn có thể hỏi về:',
    otherWords: 'Hãy thử dùng từ khác.',
    leftOut: 'Những câu không được nguồn xác nhận đã bị lược bỏ.',
    brokenOff: 'Câu trả lời bị ngắt ở đây.',
  },
  zh: {
    refusal: '这些页面没有回答这个问题。',
    instead: '您可以询问：',
    otherWords: '请换个说法试试。',
    leftOut: '没有来源支持的内容已被省略。',
    brokenOff: '回答在此处中断。',
  },
};

export const PHRASE_LANGUAGES: readonly string[] = Object.keys(PHRASES);

export const phrasesOf = (language: string): Phrases => PHRASES[language] ?? (PHRASES.en as Phrases);

/** Returns the text of a refusal, with titles of pages to ask about or, without any, the advice to use other words. */
export function refusalText({ refusal, instead, otherWords }: Phrases, titles: readonly string[]): string {
  const gap = /[\u3002\uff01]$/.test(refusal) ? '' : ' ';
  const last = titles.length > 0 ? `${instead}${/\uff1a$/.test(instead) ? '' : ' '}${titles.join(' · ')}` : otherWords;
  return `${refusal}${gap}${last}`;
}

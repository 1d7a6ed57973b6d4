"""What English words say about who, when, how lasting and what for; see `lasting_en`, which reads them."""

import re

from deepseedian.core.words_en import NOT_MINE, PEOPLE

TOKEN = re.compile(r"(?:[^\W_]|\u25a2)[\w\u25a2@#+]*(?:['’./:&-][\w\u25a2]+)*|[.,;:!?()\u2013\u2014]|(?<=\s)-(?=\s)")
STANDING = re.compile(
    r"\b(?:from now on|from here on|from today(?: on)?|going forward|henceforth|hereafter|at all times|under (?:no|all) circumstances|"
    r"by default|"
    r"as a (?:rule|matter of principle|standard)|as standard|without exception|no matter (?:what|how|who)|in (?:the )?future|"
    r"until further notice|"
    r"that's how (?:i|we) (?:do|like|want|work|always)|that's (?:our|my|the|a) (?:rule|policy|habit|law)|starting (?:now|today|next|in)|"
    r"as of (?:now|today|next)|if in doubt|when in doubt|"
    r"once and for all|for all time)\b")
FINAL = re.compile(
    r"\b(?:for good|permanently|for ever|forever|that's (?:final|settled|decided|it then)|(?:it's|is) (?:official|settled|final|decided)|"
    r"made up my mind|"
    r"no longer|not .{1,40} any ?(?:more|longer)|no more|once and for all|throughout|across the board|end of (?:story|discussion))\b")
HABIT = re.compile(
    r"\b(?:every|each)(?: single| other| second| third| first| last)?(?: \w+)? ?(?:day|morning|evening|night|afternoon|week|weekday|"
    r"weekend|month|year|quarter|"
    r"spring|summer|autumn|fall|winter|term|season|lunch|time|meal|meeting|project|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|"
    r"february|march|april|"
    r"may|june|july|august|september|october|november|december)s?\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:weekdays|weekends|weeknights|mornings|evenings|nights)\b|"
    r"\b(?:once|twice|thrice|\w+ times|\w+ days|\w+ hours|\w+ (?:k|km|miles|minutes)) (?:a|per|every|each) (?:day|week|month|year)\b|"
    r"\b(?:daily|weekly|monthly|"
    r"yearly|annually|nightly|quarterly)\b")
MEALS = re.compile(r"\b(?:before|after) (?:breakfast|lunch|dinner|work|bed|school|noon|\d|six|seven|eight|nine|ten|five|four)\b")
CASES = re.compile(r"^(?:whenever|wherever|if|when|where) (?:at all )?(?:possible|needed|necessary|applicable|in doubt|unsure|"
    r"appropriate|available)\b[, ]*", re.I)
SINCE = re.compile(r"\b(?:since \w+|for (?:\w+ ){1,3}(?:years|decades|months)|in (?:\w+ ){1,2}years|for years|all my life|since (?:i|"
    r"we) \w+)\b")
NOW = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:right|just) now|at the moment|for now|for the moment|(?:this|that) (?:time|morning|"
    r"afternoon|evening|week|"
    r"weekend|month|instant|once)|just this once|again|in a (?:minute|moment|second|bit|hurry|rush)|in (?:\w+ )?(?:\w+ )?(?:minutes?|"
    r"hours?)\b|"
    r"by (?:noon|tonight|tomorrow|eod|\d+|one|two|three|four|five|six|monday|tuesday|wednesday|thursday|friday)\b|(?<!the )last (?:night|"
    r"week|weekend|month|monday|"
    r"tuesday|wednesday|thursday|friday|saturday|sunday)|(?:days?|weeks?|hours?|minutes?) ago|yet|soon|asap|meanwhile|at least for|"
    r"for the weekend|since (?:this|the) (?:morning|afternoon|start)|for (?:hours|days)|since this|"
    r"these past|so far|until (?:midnight|late|dawn)|currently trying|next (?:week|weekend|time i)|almost|finally|suddenly|"
    r"(?:this|next) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening|night))?|"
    r"all (?:day|morning|night|week)|somehow|instead of now)\b")
THAT_DAY = re.compile(r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bat (?:\d{1,2}(?::\d\d)?|noon|one|two|three|four|five|six|"
    r"seven|eight|nine|ten)\W*$")
PLANNED = re.compile(r"\b(?:from|as of|starting) (?:today|tomorrow|monday|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|next|the|now|\d)")
OLD = re.compile(
    r"\bwhen (?:i|we) (?:was|were)\b|\bas a (?:child|kid|boy|girl|student|teenager)\b|\bused to\b|\bback (?:then|in)\b|\bin (?:those|"
    r"the old) days\b|"
    r"\bin my (?:youth|childhood|first|last|previous|old|former)\b|\bonce upon\b|\bi (?:still )?remember (?:when|the|how|that|my|a)\b|"
    r"(?<!since )\blast year\b|\bthat (?:year|day|summer|winter)\b")
POINTING = re.compile(
    r"\b(?:this|these|those)\b(?! (?:year|month|season|semester|term|repo|repository|project|codebase|house|household|team|company|book|"
    r"novel|vault|series|blog|course|family|lab|office|app|"
    r"site|website|is how|is what|is why|way)\b)|\b(?:here's|the above|the below|following|attached|previous)\b|\b(?:above|"
    r"below)\b(?=\W*$)|"
    r"\bthe first (?!\w+ of (?:each|every|all|the month|the year)|of (?:the month|each|every))\w|\bthe (?:\w+ )?(?:second|third|fourth|"
    r"fifth|last|next|other|latter|former|rest|current|left|right)\b(?! (?:of each|line of|floor|name|names|person|shift|day of|"
    r"week of))|"
    r"\b(?:the|this|that|another|other) (?:\w+ )?one\b(?=\W*$)|\bthe new (?:intro\w*|version|draft|text|one|title|layout|paragraph|"
    r"section|image|picture)\b|\b(?:question|exercise|problem|task|"
    r"section|step|level|round|page|line|episode|slide|figure|row|column|cell) \d+\b|\b(?:(?<!on )it|that|them|here)\b(?=\W*$)")
TELLS = re.compile(
    r"^(?:i want you to know|i'd like you to know|you should know|you need to know|just so you know|so you know|fyi|for the record|"
    r"heads-?up|one (?:more )?thing|"
    r"by the way|btw|note that|for your information|worth knowing|something to know|in case it matters|for context|good to know|"
    r"to be clear|"
    r"a bit (?:about|of context)|about me)\b(?: for \w+ \w+ \w+)?(?: that)?[,:;. –—-]*", re.I)
LEADS = re.compile(
    r"^(?:(?:also|and|oh|so|well|anyway|though|please|kindly|honestly|frankly|personally|in general|generally(?: speaking)?|right|"
    r"ok(?:ay)?|actually|hey|hi|"
    r"yes|yeah|no|ah|hm+|look|listen|thanks|then|again|plus|anyhow|as always|as usual|as i said|like i said|as ever|to me|in fact|"
    r"of course|naturally|"
    r"unfortunately|luckily|sadly|basically|really|seriously|ideally|by and large|all in all|as far as i'm concerned|at home|at work|"
    r"in my house)\b[,:;.! –—-]*)+", re.I)
ANNOUNCED = re.compile(
    r"^(?:(?:a |one |the |my |our |your |this |here's (?:a|the|my|our) )?(?:\w+ ){0,2}(?:rule|final answer|final version|decision|deal|"
    r"convention|policy|agreement|verdict|principle|guideline|"
    r"standard|custom|habit|preference|requirement|practice|arrangement|compromise|consensus)s?(?: (?:here|of thumb|(?:for|in|"
    r"at) [\w' -]{2,30}))?"
    r"(?: (?:is|are)(?: that)?|[,:–—]| -) ?[^,]{4,}|(?:it's|it is) (?:now |all |been )*(?:official|agreed|settled|decided|final|(?:our |"
    r"company |house |family |"
    r"team |lab |school )(?:policy|rule|practice|tradition|custom)|a (?:rule|given|must|habit|tradition))\b|(?:agreed|settled|decided|"
    r"deal|done deal)\s*[:,–—-]\s*(?:i|we|you|the|our|no|all)\b)", re.I)
HEADED = re.compile(r"^(?!(?:question|error|subject|note|warning|ps|edit|update|re|problem|task|todo|example|from|to|date|title|author|"
    r"input|output|source|link|url|file)\b)(?:[A-Z][\w-]{2,20}(?: [a-z-]{2,15}){0,2}): (?:[a-z0-9]|no |only |never |always )[^?]{8,}$")
WHO_DOES = re.compile(r"\b(?:an?|some|any|about) (?:\w+ ){1,3}?who\b")
CLEFT = re.compile(r"^(?:no,? )?(?:it's|it is|that's) [\w' -]{2,40}, ?(?:and )?not [^,]{2,40}.*\b(?:my|our|we|i)\b")
SPLIT = frozenset(",;:()–—-") | {"but", "because", "although", "whereas"}
END = frozenset(".!?")
WE = frozenset("i we".split())
ONESELF = frozenset(("I", "I'm", "I've", "I'd", "I'll", "We", "My", "Our"))
CAPITAL = re.compile(r"[A-Z\u25a2]|\d")
NAME = re.compile(r"^[A-Z][a-z]+$")
PERSON_DOES = frozenset("""
    prefers likes hates loves wants lives works always never usually often thinks has is was decided decides forgets studies eats drinks
    drives takes gets plays goes says said told believes needs enjoys uses used moved and""".split())
LOCAL = NOT_MINE | PEOPLE | frozenset("""
    page test image picture paragraph section word sentence line answer option draft soup weather sun sky earth moon river sea world law
    book film human body city country""".split())
FOR_ME = frozenset("me my mine our ours us".split())
TOUCHES = re.compile(
    r"\b(?:suits?|bothers?|annoys?|irritates?|distracts?|helps?|calms?|scares?|bores?|tires?|confuses?|hurts?|triggers?|slows?|stresses|"
    r"relaxes|drives?|makes?|gives?|reminds|keeps?|overwhelms?|"
    r"puts?|throws?|serves?|grates? on|gets? on|wasted on|lost on|(?:useless|important|dear|sacred|foreign|new|alien|precious) to|"
    r"matters? (?:a lot |most |more )?to|appeals? to|(?:hard|easy|easier|harder|best|better|ideal|"
    r"perfect|enough|plenty|nothing|poison|too much) for|works? (?:best|better|well)? ?for|(?:looks?|sounds?|tastes?|feels?) (?:best|"
    r"better|right|nicer?) to|does nothing for|"
    r"over [\w ]{2,20} for) me\b|\bhow i (?:like|want|prefer|do|work)\b|\bget on my\b|\b(?:isn't|aren't|not) for me\b|\bmy (?:thing|"
    r"cup of tea|way|style|limit|taste|preference|motto)\b")

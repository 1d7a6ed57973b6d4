"""What in an English sentence says that it is worth keeping: asked for, agreed, preferred, decided, put right, or a lasting fact.

Patterns see one sentence of the owner with quotations masked. They look for the grammar of lasting statements (who, how often,
what holds) rather than for subjects, since nobody can list what people have to say.
"""

import re

_I = re.IGNORECASE
_SOFT = (r"(?:please |pls |plz |hey,? |kindly |just |also |always |maybe |then |so |and |but |now |do |can you |could you |would you |"
    r"will you |"
         r"i(?:'d| would) (?:like|love|want) you to |i (?:want|need) you to |you (?:should|must|can|may|need to) |"
         r"it (?:would be|is|'s) (?:good|great|nice|helpful|important) (?:if you |to )|(?:one|another) (?:more |last |"
         r"other )?thing (?:to )?|"
         r"(?:something|things?) (?:else |more |important )?to |important(?:ly)?:? |for the record,? |it'?s worth |worth )*+")

# Asked to remember; `text` is what.
ASK = re.compile(
    rf"(?:^|[,.;:!?)–—-]\s*|\b(?:and|but|so|please|also|then|now|btw|ps)[,:]? )(?:{_SOFT})"
    r"(?:remember|keep in (?:mind|memory)|bear in mind|(?:make|take) (?:a )?note|please note|note (?:down|for (?:later|the future)|"
    r"to self)|"
    r"note(?=\s*(?:that\b|:))|do(?:n't| not) (?:ever )?forget|never forget|memori[sz]e|commit to memory|jot down|write down|"
    r"(?:jot|write|note|take|put) (?:this|that|it) down|put (?:this|that|it) on (?:file|record)|(?:hang|hold) on to (?:this|that|it)|"
    r"(?:stash|file|tuck) (?:this|that|it)(?: away)?|add (?:this |that |it )?to (?:your|my|the) (?:memory|notes)|"
    r"(?:save|store|keep|put|add|record|log|file|remember) (?:this|that|it|the following)?(?: fact| away| down)?(?: (?:in|to|into|for)"
    r" (?:your |my |the |long-term |later|future)*(?:memory|memories|notes|records?|reference|use)?)|for (?:your|"
    r"future) (?:records?|memory|reference)|"
    r"(?:save|store|keep|record|log|write) (?:this|that|it)(?: down| away)?(?= *[:–—])|(?:a )?(?:quick )?(?:memory|"
    r"reminder) (?:note|item)|new memory|for later(?=\s*[:–—])|memo(?=\s*:)|(?:make|take) (?:a |an )?(?:mental|quick|short) note|"
    r"(?:quick|short|small|little) (?:note|memo|reminder)(?: to (?:keep|self|remember)| for (?:you|later))?(?=\s*[:–—-]))\b"
    r"(?:\s*(?:(?:of )?(?:this|these|it|the following)(?: (?:fact|point|thing|rule|one)s?)?(?=\s*[:,.–—-])|for (?:me|later|"
    r"next time|the future)\b|of\b|"
    r"about me\b|please\b|that\b|down\b|[:,–—-]))*\s*(?P<text>\S.*)?$", _I)
# The request alone; what is meant stands before it.
THAT = re.compile(
    rf"^(?:{_SOFT})(?:hang on to|hold on to|stash|remember|note|save|store|memori[sz]e|record|"
    rf"don't forget|do not forget|keep|bear|put|write)\b(?: (?:that|this|"
    rf"it|these|those))?"
    r"(?: (?:down|in (?:mind|memory)|to memory|please|for (?:me|later|next time|the future|future reference)|about me|as well|too|"
    r"ok(?:ay)?))*\s*[.!?]*$", _I)
# The request behind what is meant.
BEHIND = re.compile(
    r"^(?P<text>.{8,300}?)(?:,| [–—-]|;)? (?:so |and )?(?:please |just |pls )*(?:(?:keep|bear) (?:that|this|it) in mind|remember (?:that|"
    r"this|it)|don't forget (?:that|this|it)|(?:make a )?note (?:of )?(?:that|this|it)|"
    r"(?:save|store|record) (?:that|this|it))(?: please| down| for (?:me|later|next time))?\s*[.!]*$", _I)
# What may not follow: things to do, and the past.
TASK = re.compile(
    r"(?:to (?!always|never|only|use\b|answer|reply|respond|write (?:in|short|brief)|show me|explain|include|cite|ask me|format|"
    r"avoid|check with|address me|"
    r"call me|keep (?:it|your|answers|the)|put (?:units|dates|code)|treat|prefer|leave (?:a )?space|leave out|skip|give me|not\b)|"
    r"when (?:we|i|you)\b(?!.*,)|how\b|things\b|stuff\b|what\b|where\b|why\b|who\b|which\b|whether\b|if\b|me\b|us\b|him\b|those days|"
    r"the (?:time|days?|good old)\b|it[.!]?$|this[.!]?$|that[.!]?$|you\b)", _I)

_IMPERATIVE = (
    r"ask|answer|reply|respond|write|show|explain|use|give|keep|put|check|run|tell|call|address|format|cite|start|begin|end|make|"
    r"let|include|"
               r"add|skip|leave|test|review|back|confirm|wait|warn|treat|assume|prefer|list|round|print|name|sort|quote|link|mark|"
               r"summari[sz]e|"
               r"translate|talk|speak|suggest|stick|avoid|limit|wrap|indent|sign|send|be|do|point|remind|break|split|lead|convert|"
               r"return|default|quarantine|escalate|ignore|pick|choose|double|highlight|open|close|follow")
_NO_VERB = (
    r"i|we|it|he|she|they|there|the|this|that|these|those|what|how|why|who|which|where|is|are|was|were|would|could|should|will|can|"
    r"do|does|did|nothing|everything|something|no|"
            r"my|our|your|his|her|its|an?|all|some|any|one|maybe|perhaps|i'm|i've|it's|that's|we're|you|you're|most|many|people|so|"
            r"and|but|not|\w+ing")
_OBJECT = (
    r"(?:it|them|me|us|the|an?|my|your|our|all|both|only|every|each|no|in|with|to|as|by|from|at|for|on|two|three|one|version|\w+ \w+)")
RULE = re.compile(
    r"\b(?:from now on(?:wards?)?|from here on(?: out| in)?|from this (?:point|moment|day) (?:on|forwards?|onwards?)|"
    r"from today(?: on)|going forwards?|henceforth|"
    r"as of (?:now|today),?|starting (?:now|today)|for (?:all |any )?future (?:\w+ ){0,2}(?:answers|replies|responses|chats|"
    r"conversations|tasks|projects|"
    r"posts|documents|reports|summaries))\b|"
    rf"^(?:please )?(?:in (?:the )?future|next time(?: and (?:always|from then on))?)[, ]\s*(?:please |always |never |do not |"
    rf"don't |only |just |let's |{_IMPERATIVE})", _I)
MANNER = re.compile(
    r"^(?:please |and |also |but |so |again,? |you (?:should|must|can|may|are to) )*(?:always|never|(?:do not|don't) ever|"
    r"by default,?|as a rule,?|at all times,?|under no "
    r"circumstances)\s+(?!mind\b|again\W*$|a pleasure|happy|good to|better|heard|been|seen|had|knew|thought|gets?\b|got\b|a\b|"
    r"fails?|works?\b|know|\w+ing\b)[a-z]{2,}|"
    r"^(?:please )?only (?!problem|thing|issue|question|one|then|if|when|because|now|after|\w+ of|\w+ (?:is|are|was|"
    r"left))[a-z]{2,}\b.{4,}|"
    r"^(?:please |could you |can you |and |you can )*(?:stop|quit|avoid|refrain from) (?:\w+ly |ever )?(?:\w+ing)\b.{3,}|"
    r"^(?:please |could you |can you )*(?:skip|drop|leave out|spare me|cut) (?:the |all |your |any )?(?:\w+ )?(?:pleasantries|"
    r"small talk|intros?|introductions?|"
    r"disclaimers?|emojis?|apologies|filler|preambles?|compliments|summary at the end)\b|"
    r"^(?:please,? |absolutely )?no (?:more )?(?!problem|need|worries|idea|thanks|way|doubt|one|matter|wonder|rush|longer|"
    r"more\b)\w+.{0,40}\b(?:please|in (?:your|my|our|any)"
    r"|unless|ever|for me|anywhere|after|before|on (?:week|sun|satur|fri|mon))\b|"
    rf"^(?:please )?(?:{_IMPERATIVE}|don't|do not|feel free)\b.{{3,}}\b(?:whenever|every time|each time|any time|in all (?:your|my)|"
    rf"in every|by default|at all times|unless (?:i|we)\b|"
    r"without (?:asking|my|checking|telling)|before (?:you (?:change|delete|edit|commit|push|send|write|touch|run|answer|start)|"
    r"(?:delet|chang|edit|push|merg|send|"
    r"commit|deploy|releas)ing)|when(?:ever)? (?:you|i) (?:write|answer|reply|paste|send|ask|share|give|show|explain|summari[sz]e|"
    r"mention|say|use|address|talk|cite|draft|"
    r"make|name|list|quote|suggest))\b|"
    r"^(?:whenever|every time|each time|any ?time|when(?:ever)?|if|whatever|wherever|for anything|as long as|unless) (?:i|we|you|"
    r"there|an?|the|my|our|something|some(?:body|one)|any\w+|tests?|it|\w+ing)\b[^,]{2,90}, ?"
    rf"(?:please |always |never |just |then |first |do not |don't |only )*(?:(?:{_IMPERATIVE}|always|never|don't|do not)\b|"
    rf"(?!(?:{_NO_VERB})\b)[a-z]{{2,}} {_OBJECT}\b)|"
    r"^(?:please )?(?:treat|use|assume|prefer|answer|write|give|show|keep|explain|add|include|skip|leave|avoid|quote|cite|round|"
    r"list|put|start|end|format|address|speak|count|plan|split|convert|make) .{3,}\b(?:when(?:ever)?|if|every time|each time|"
    r"unless) (?:you|i|we|it(?! (?:is|'s) (?:done|ready))|the|there|an?|my)\b|"
    r"\bplease,? (?:whenever|every time|each time)\b|^[\w' -]{2,40}(?:,| –| —) ?(?:never|not) [\w' -]{2,40}[,.]? ?(?:please|"
    r"in (?:all|any|our|my)|for (?:all|any|our|my)|ever|always|everywhere)\b|"
    r"^(?:before|after) (?:you |any |every |each |a |an |the )?(?:\w+ing|\w+)\b[^,]{0,60}, ?(?:please |always |never |just |first )+\w+|"
    r"^(?:so |and |then |ok(?:ay)?,? )*let(?:'s| us) (?:always|never|agree|make it a (?:rule|habit)|stick (?:to|with)|keep to|have it that|"
    r"only|standardi[sz]e)\b|"
    r"\bi (?:want|need|expect|like|would like|'d like) (?:you to (?:always|never|only|stop)|all (?:my|your|answers|replies|\w+)|"
    r"every (?:\w+)|"
    r"(?:my|your) (?:answers|replies|summaries|reports|code|emails|responses))\b|i'd like (?:all|every|my|your)\b|"
    r"^you (?:don't|do not|never) (?:need|have) to (?:always |ever )?(?:be (?:so|polite|formal)|explain|apologi[sz]e|add|repeat|ask|"
    r"thank|include|summari[sz]e|tell me|remind|write|say|start|end|use|translate|introduce|comment|format)\b|^you (?:can|may|"
    r"should|must) (?:always (?:assume|use|ask|answer|write|skip|call|expect|give|check|start|end)|skip|assume|drop|leave out|"
    r"address me|call me)\b|"
    r"\b(?:answers|replies|responses|explanations|summaries) (?:should|must|need to|have to) (?:be|have|start|stay|fit|contain|end)\b|"
    r"\b(?:keep|make) (?:your |all |the )?(?:answers|replies|responses|explanations|summaries|messages) (?:\w+ )?(?:short|brief|"
    r"concise|simple|to the point|in|under|below|plain|formal)\b|"
    r"\bplease\b.{0,60}\b(?:in|for|on|with) (?:every|all|each)\b|\b(?:in|for|on|with) (?:every|all|each) \w+.{0,40}\bplease\b|"
    r"\b(?:i|we|my \w+)(?:'m|'re|'ve| am| are| have| has| can't| cannot| don't| live| work| use| is)\b.{3,}[,;:–—-] ?(?:so|"
    r"therefore|that's why|hence) (?:please |always |never |just )*(?:no\b|don't|do not|give|use|keep|avoid|leave|skip|never|always|"
    r"only|nothing|prefer|answer|write|"
    r"explain|assume|show|suggest|speak|(?:[\w' -]{3,40} )?(?:should|must) (?:never|always|not|be|only|stay))|"
    r"\b(?:don't|do not|never) (?:ever )?(?:suggest|recommend|use|offer|call me|ask me|write|show me|give me|tell me|send me|add|"
    r"put|assume|mention|translate|explain|remind me|start|end|begin|answer|reply)\b.{2,}\b(?:again|ever|any ?more|any longer|"
    r"to me)\b|"
    r"\bunless i (?:explicitly )?(?:ask|say|tell|request)|without (?:my (?:permission|approval|consent|ok|okay|say-so)|asking me)", _I)

_OFTEN = (
    r"(?:(?:really|strongly|always|generally|usually|normally|typically|much|very|truly|absolutely|also|still|just|definitely|"
    r"personally|mostly|rarely|seldom|"
          r"never|only|often|do|quite|rather|honestly|tend to|actually|particularly|especially|deeply|kind of|simply|genuinely|"
          r"hardly ever|almost always|almost never|mainly) )*")
TASTE = re.compile(
    rf"\b(?:i|we)(?:'ve| have)?(?: both| all)? {_OFTEN}(?:prefer(?:red)?|likes?|love|hate|dislike|enjoy|detest|loathe|adore|favou?r|"
    rf"can(?:'t|not| not) (?:stand|bear|eat|drink|"
    r"tolerate|handle|have)|don't (?:really |usually |normally |much |particularly |actually )*(?:like|enjoy|eat|drink|care for|"
    r"want|use|do|work|take|answer|own|drive|touch|watch|read|celebrate|"
    r"smoke|trust|believe in)|do not (?:like|enjoy|eat|drink|want|use|work|take)|avoid|tend to|refuse to|could never|gave up|"
    r"stay away from|swear by|always|never|usually|normally|"
    r"typically|rarely|seldom|hardly ever|only|mostly) (?!(?:to (?:know|see|ask|bother|understand|learn (?:how|more)|get)|how|"
    r"it\W*$|you\b|so\W*$))\S.{1,}|"
    r"\bi(?:'d| would) (?:\w+ )?(?:rather|prefer|sooner)\b.{3,}|\bi(?:'m| am) (?:really |very |quite |not |no |rather |more |still |"
    r"severely |mildly |highly |a |an |much |of )*(?:(?:big |huge |great |massive )?fan of|"
    r"allergic|vegetarian|vegan|intolerant|lactose|gluten|used to \w+ing|into \w+|fond of|keen on|partial to|picky|afraid of|"
    r"scared of|obsessed with|sensitive to|"
    r"colou?r-?blind|left-?handed|right-?handed|a morning person|a night owl|an early (?:bird|riser)|happiest|comfortable with|"
    r"uncomfortable with|more of an?)\b|"
    r"\b(?:my|our) (?:\w+ )?(?:all-time )?(?:favou?rites?|preferred|preferences?|go-to|usual|pet peeves?|least favou?rite|weakness|"
    r"taste|habit)\b[^,.;!?]{0,60}?(?:\b(?:is|are)\b|:).{2,}|"
    r"^(?!it|that|this|those|these|they|he|she)\S.{2,60} (?:is|are) my (?:favou?rites?|go-to|preferred|pet peeve|"
    r"least favou?rite)\b|\b(?:works? best for me|suits me best|(?:drives?|drive) me (?:crazy|mad|nuts)|gets? on my nerves|"
    r"annoys? me|helps? me (?:focus|concentrate|think|sleep|learn)|makes? me (?:nervous|sick|ill|anxious))\b|"
    r"\bi find \S.{2,60} (?:annoying|distracting|hard to (?:read|follow)|tedious|boring|relaxing|"
    r"helpful|easier|confusing|soothing|exhausting|unreadable|useful)\b|\bcall me (?!(?:back|later|tomorrow|today|tonight|when|if|"
    r"at|on|crazy|asap|in)\b)\w+|"
    r"\b(?:my pronouns|i go by|people call me|everyone calls me)\b", _I)

_WHO = (
    r"(?:we|i|the (?:\w+ )?(?:team|board|committee|family|group|council|squad|class)|our (?:\w+ )?(?:team|family|group|board)|"
    r"everyone|my (?:wife|husband|partner|boss|team|family|doctor|manager)(?: and i)?|\w+ and i)")
DECISION = re.compile(
    rf"\b{_WHO}(?:'ve| have| has|'re| are|'m| am|'ll| will)? ?(?:all |both |just |now |finally |already |also |recently |"
    rf"eventually |unanimously |jointly |actually |since |only |mutually )*"
    r"(?:decided|agreed|settled (?:on|for)|chose|chosen|picked|opted|concluded|switched|moved(?= (?:\S+ ){0,4}?(?:from|to|over|into|"
    r"off|away))|migrated|"
    r"standardi[sz]ed on|committed to|dropped|ditched|abandoned|replaced|renamed|adopted|retired|phased out|resolved to|voted|"
    r"signed (?:up )?with|landed on|went with|"
    r"(?:going|gonna go|go|sticking|stick|stay|staying) (?:with|for)|no longer|don't .{2,40} any ?more|stopped|quit|made up my mind|"
    r"set(?:tled)? the|fixed the|changed our|"
    r"will (?:use|host|run|keep|deploy|ship|write|meet|store|call|release)|(?:are|'re) (?:using|moving to|migrating to|switching to|"
    r"keeping|dropping)) \S.{2,}|"
    r"^(?:final )?(?:decision|decided|agreed|agreement|settled|resolved|verdict|conclusion)(?: made)?\s*[:,–—-] ?\S.{3,}|"
    r"\bit(?:'s| is| was| has been) (?:now |been )?(?:decided|agreed|settled|official|final)\b.{3,}|^(?:so |ok(?:ay)?,? |then |"
    r"fine,? |right,? |and )*(?:let's|we'll|we will) (?:go with|use|stick with|settle on|call|"
    r"name|drop|keep|move|switch|host|store|meet|do) \S.{2,40}\b(?:for (?:all|every|the|our|any|new|each)|from|as (?:the|our)|"
    r"everywhere|going|instead of|every|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|in (?:all|every))\b|"
    r"\bthe (?:plan|decision|consensus|agreement|verdict) is (?:to|that|now)\b.{3,}|\b(?:is|are|was|were|has been|have been|"
    r"got) (?:now |officially )?(?:called|renamed|moved to|postponed to|"
    r"rescheduled (?:to|for)|replaced (?:by|with)|deprecated|discontinued|merged into|cancelled for good|pushed (?:back )?to|"
    r"set (?:for|to)|fixed at|capped at|limited to|due (?:on|by|every))\b.{2,}", _I)

# What takes something back.
WRONG = re.compile(
    r"^(?:oh,? |ah,? |oops,? |hm+,? |sorry,? |hang on,? |wait,? |hold on,? |well,? |ok(?:ay)?,? |and |but |small |one |a |quick |"
    r"minor |slight )*(?:no+|nope|nah|not (?:quite|exactly|right|really)|almost(?: right| correct)?|"
    r"close|nearly(?: right)?|wrong|incorrect|correction|actually|scratch that|strike that|i (?:misspoke|was wrong|made a mistake|"
    r"got (?:it|that) wrong|meant)|my mistake|"
    r"to correct myself|that(?:'s| is| was) (?:wrong|not right|outdated|no longer (?:true|right)|incorrect)|you(?:'ve|"
    r" have)? got (?:that|it) wrong|make that|rather|sorry|mistake|(?:wrong|other) way (?:a)?round|backwards|"
    r"you(?:'ve| have)? (?:got|mixed|confused|mistaken|misread|misunderst\w+|misremember\w*)(?: \w+){0,4}|i (?:told|gave|said) (?:you |"
    r"it )?(?:\w+ )?wrong(?: \w+)?|"
    r"(?:just )?(?:let me|to) (?:correct|fix|rephrase|put)(?: \w+){0,3}|(?:small |quick )?correction(?: (?:to|of) \w+(?: \w+)?)?)"
    r"(?:\s*[,.:;!–—-]+\s*(?:(?:sorry|wait|no|actually|it'?s|it is|but|make that|i meant?)[,:]? )*|\s+(?=it(?:'s| is)\b|(?:my|our|"
    r"the)\b|half\b|\d)|(?<=make that)\s+|(?<=meant)\s+)(?P<text>\S.*)$", _I)
TAKEN_BACK = re.compile(
    r"^(?:oh,? |ah,? |oops,? |sorry,? |wait,? |ok(?:ay)?,? |well,? |no,? |actually,? |hm+,? )*(?:never ?mind|scratch that|"
    r"strike that|forget (?:it|that|what i (?:just )?said|about it)|ignore (?:that|what i (?:just )?said)|"
    r"(?:please )?(?:don't|do not) (?:remember|save|store|note|keep) (?:that|this|it)|disregard that|just kidding|only joking|"
    r"kidding|no need to (?:remember|save) (?:that|it))\b", _I)

_KIN = (
    r"wife|husband|partner|spouse|girlfriend|boyfriend|fianc[ée]e?|mother|mum|mom|father|dad|parents?|son|sons|daughter|daughters|"
    r"kids?|child|children|brother|sister|siblings?|twins?|"
        r"grand\w+|uncle|aunt|cousin|nephew|niece|in-laws|dog|cat|pet|puppy|kitten|horse|rabbit|parrot|roommate|flatmate|neighbou?r|"
        r"baby|stepson|stepdaughter")
_NOT_MINE = (
    r"question|problem|issue|point|guess|code|error|idea|concern|mistake|bad|understanding|input|data|output|query|script|function|"
    r"result|message|answer|assumption|"
             r"first|second|last|next|request|task|example|text|prompt|thought|thoughts|opinion|friend|turn|apologies|pleasure|hope|"
             r"intention|attempt|bug|draft|essay|file|"
             r"head|battery|train|flight|screen|build|program|loop|array|list|table|page|pc|internet|connection|god|goodness|word|"
             r"fault|experience is|current|new")
_HOLDS = (
    r"is|are|'s|has|have|runs?|lives?|uses?|works?|starts?|begins?|ends?|opens?|closes?|gets?|needs?|likes?|loves?|hates?|goes|go|"
    r"comes?|sits?|stands?|lies|contains?|expires?|renews?|belongs?|"
          r"prefers?|speaks?|can't|cannot|can only|only|always|never|usually|turns?|turned|was born|were born|died|costs?|pays?|"
          r"meets?|ships?|studies|study|teaches|attends?|owns?|takes?|plays?|eats?|"
          r"drinks?|sleeps?|weighs?|measures?|publishes|follows?|requires?|must|should|will always|happens?|handles?|manages?|"
          r"leads?|reports?|names?|stays?|covers?|includes?|allows?|accepts?|"
          r"closed|moved|consists?|supports?|holds?|keeps?|sends?|deploys?|hosts?|wants?|wears?|suffers?|retires?|dates? (?:back|"
          r"from)|won't|doesn't|don't|isn't|aren't|may not|reads?|writes?|does|do|drives?|visits?")
FACT = re.compile(
    r"\b(?:my|our) (?:\w+ )?name(?:'s| is)\b.{2,}|\bi(?:'m| am) (?:called|named|known as)\b|"
    rf"\b(?:my|our) (?:[\w'&-]+ ){{0,3}}?(?:{_KIN})\b(?:,? [\w'-]+,?)? .{{0,50}}?(?:\b(?:{_HOLDS})|'s|turned)\b.{{2,}}|"
    rf"\b(?:my|our) (?!(?:{_NOT_MINE})\b)(?:[\w'&/.-]+ ){{0,4}}?(?!(?:{_NOT_MINE})\b)[\w'&/.-]+ (?:{_HOLDS})\b.{{2,}}|"
    rf"\bwe (?:all |both |only |always |never |usually |normally |mostly |generally |typically |currently |now |don't |do not |"
    rf"still |also |just |either )*(?:use|run|host|keep|store|write|deploy|ship|meet|release|name|prefix|"
    r"follow|review|back up|track|pay|publish|own|live|work|rent|have (?:a|an|two|three|four|five|\d+|no|one)|build|test|merge|tag|"
    r"bill|invoice|close|open|celebrate|"
    r"speak|eat|drink|rotate|rely on|require|work (?:with|in|from|on)|log|call|do|format|support|sell|employ|offer|serve|order|buy|"
    r"grow|document|squash|rebase|pin|are (?:a|an|based|located|closed|open|\d|all|on)|'re (?:a|an|based|located|on)) .{3,}|"
    r"\b(?:i|my \w+ and i|(?-i:[A-Z])\w+ and i) (?:only |also |currently |now |still |mostly |usually |always |just |mainly |never |"
    r"don't |do not |actually |both )*(?:live|work (?:as|at|for|in|from|on|part|full|remotely|nights|with|mostly|\w+days)|study|"
    r"teach|speak|own|drive|come from|grew up|"
    r"was (?:born|raised|diagnosed)|moved (?:to|from)|run (?:a|an|my|the|linux|mac|debian|ubuntu|every|\d+)|manage|lead|maintain|"
    r"volunteer|commute|sleep|get up|wake up|go to (?:bed|the gym|church|school|yoga)|take (?:\w+ ){0,2}(?:medication|medicine|"
    r"insulin|pills|tablets|thinners|supplements|drops|my)|"
    r"wear|use (?:a|an|the|my|only|vim|emacs|neovim|linux|macos|windows|obsidian|(?-i:[A-Z])\w+|\w+ (?:for|as|on|to|every|instead))|"
    r"play|drink|eat|keep (?:my|all|a|bees|\w+)|have (?:\w+ ){0,3}?(?:kids?|children|sons?|daughters?|dogs?|cats?|pets?|brothers?|"
    r"sisters?|twins|disease|syndrome|disorder|intolerance|phobia|deficiency|insomnia|disability|impairment|tinnitus|"
    r"allerg\w+|diabetes|asthma|adhd|dyslexia|migraines?|epilepsy|arthritis|car|house|garden|flat|apartment|degree|phd|licen[cs]e|"
    r"shop|company|blog|background|years|appointments?|meetings? every|off)\b|"
    r"graduated|retired|write (?:my|all|in|for|novels|code|books)|cook|bake|train|swim|cycle|ride|collect|support|belong to|vote|"
    r"pay|bill|charge|save|store|publish|share|turned|became|quit|joined|left|started (?:at|with|as|working|a new)|got (?:married|"
    r"divorced|engaged|promoted|a (?:new )?(?:job|dog|cat))|had (?:\w+ ){0,2}surgery|broke my|gave up|report to|supervise|"
    r"suffer from|weigh|stand \d|am \d)[ ,;].{2,}|"
    r"\bi(?:'ve| have) (?:got (?:\w+ ){0,3}?(?:kids?|children|sons?|daughters?|dogs?|cats?|allerg\w+|diabetes|asthma|adhd|brothers?|"
    r"sisters?|car|type)|been (?!debugging|trying|working on (?:this|it)|fighting|struggling|looking|searching|waiting|reading|"
    r"going|slogging|doing|thinking|having|getting|helping)(?:\w+ing|an?|with|at|on|married|vegetarian|vegan|living|"
    r"working)\b.{2,60}\b(?:for|since)|lived|worked|never (?:eaten|"
    r"learned|learnt|owned|smoked|liked|had)|always (?:been|had|wanted|loved|hated|used))\b.{2,}|"
    r"\b(?:i|we)(?:'m| am|'re| are) (?:currently |now |originally |also |actually |about |almost |already |only |"
    r"still )*(?:an? (?!bit|little|lot|few|fan|big|huge|while|mess|idiot|fool|genius|sucker)|the (?:\w+ )?(?:owner|lead|head|"
    r"maintainer|manager|author|founder|only|treasurer|chair|secretary|youngest|oldest)|from \w+|based in|born|married|"
    r"divorced|single|retired|pregnant|dyslexic|diabetic|asthmatic|jewish|muslim|hindu|buddhist|christian|catholic|\d+ (?:years|"
    r"cm)|\d\d\W|learning|studying|training for|saving (?:up )?for|self-employed|unemployed|working (?:part|full|from|as|at|for|"
    r"on (?:a|my|our) (?:phd|"
    r"thesis|book|novel))|in (?:the )?(?:(?-i:[A-Z])\w+|utc|gmt|my \w+ties)|responsible for|in charge of|on (?-i:[A-Z])\w+|"
    r"hard of hearing|short-?sighted|(?:\S+ )?blind|hearing-impaired|bilingual|trilingual|fluent|native|certified|qualified|"
    r"on (?:a |the )?(?:\w+ )?(?:diet|medication|insulin|night shift|team|sabbatical)|on call|off on|away every|out of office every|"
    r"closed on|open (?:on|from)|new to|deaf|blind|members? of|part of)\b|"
    r"\b(?:my|our) (?:goal|aim|target|ambition|objective|mission|plan|resolution|dream)s? (?:for .{2,30} |this \w+ |here )?(?:is|"
    r"are) .{3,}|\bi (?:want|plan|intend|aim|hope|am going|'m going|would like|'d like) to (?:become|learn|run|finish|quit|lose|"
    r"move|retire|read|save|buy|pass|"
    r"speak|get (?:my|a|the|better)|build|publish|hike|travel|graduate|start (?:a|my)|cut|reach) .{2,60}\b(?:this (?:year|summer|"
    r"winter|autumn|spring)|next year|by (?:the end of|20\d\d|my|christmas|summer|\w+ 20\d\d)|before (?:i|the|my|20\d\d)|"
    r"in (?:20\d\d|two|three|five)|"
    r"some day|one day|within|for good|every|each)\b", _I)
# Facts of the owner's surroundings without the owner: places of things, times of things that come again, rules of a house.
_THING = (
    r"staging|production|prod|test|dev|server|database|db|repo(?:sitory)?|cluster|domain|budget|deadline|launch|release|releases|"
    r"project|code ?name|office|meeting|meetings|stand-?up|retro(?:spective)?|sprint|planning|review|"
          r"contract|client|customer|tenant|landlord|school|dentist|doctor|rent|lease|wifi|wi-fi|network|router|printer|backup|"
          r"backups|invoices?|warranty|insurance|team|company|api|app|website|site|service|frontend|backend|queue|"
          r"branch|pipeline|ci|deploys?|deployments?|builds? run|monorepo|wiki|docs|calendar|holiday|holidays|shop|store|club|choir|"
          r"class|course|exam|conference|trip|wedding|garage|garden|bins?|boiler|newsletter|"
          r"call|sync|demo|all-hands|support|maintenance|window|freeze|quota|limit|style guide|changelog|logo|brand|font|colou?r|"
          r"port|time ?zone|gate|alarm|cleaner|gym|library|fridge|heating|mailbox|password manager|vault|credentials?")
PLAIN = re.compile(
    rf"^(?:so |and |also |but |then |well,? )*(?:the |all |every |each |any |new |"
    rf"both )*(?:[\w'/&-]+ ){{0,3}}?(?:{_THING})(?: (?:for|of|in|at|on|with) (?:[\w'-]+ ){{0,2}}[\w'-]+)? "
    r"(?:is|are|lives?|runs?|sits?|stays?|starts?|begins?|ends?|expires?|renews?|ships?|deploys?|uses?|happens?|takes? place|"
    r"goes? (?:out|live|to)|opens?|closes?|belongs?|must|only|always|never|moves? to|gets? (?:\w+ed)|need(?:s)? to be|has to be|"
    r"have to be) "
    r"(?=.*(?:\b(?:in|at|on|every|each|called|named|with|until|from|by|before|after|for|never|only|always|daily|weekly|monthly|not|"
    r"\w+ed|to|behind|under|via|through)\b|\d))(?!(?:broken|down|failing|slow|late|not working|empty|wrong|missing|failed|"
    r"stuck)\b).{2,}|"
    r"^(?:the |all |every |each |our |any |new )*(?:[\w'/&.-]+ ){1,5}?(?:(?:is|are|happens?|takes? place|goes? out|runs?|meets?|"
    r"starts?|closes?|opens?|comes?|falls?)(?: (?:always|only|usually))? (?:on |at )?(?:every|each|daily|weekly|monthly|(?:mon|tues|"
    r"wednes|thurs|fri|satur|sun)days\b|(?:the )?(?:first|second|third|last) \w+ of))|"
    r"^(?:the |our )?(?:\w+ )?(?:[\w-]+ )?(?:rules?|convention|policy|standard|guideline|principle|procedure|process|custom|"
    r"tradition)s?(?: (?:here|at \w+|in \w+|for .{2,30}))?(?: (?:is|are)\b|\s*:) ?.{3,}|"
    r"^(?!(?:it|this|that|these|those|he|she|they|you|what|which|who|there)\b)[\w'’ &/-]{3,50}? (?:goes? through|reports? to|"
    r"belongs? to|(?:is|are) (?:handled|managed|owned|maintained|run|hosted|written|stored|kept|paid|backed up|deployed|reviewed|"
    r"signed|led|approved|documented|tracked|billed|invoiced) (?:by|in|on|at|with|from|every|only|through|to))\b.{2,}|"
    r"\b(?:nobody|no one|everyone|everybody|anyone) (?:must|may|should|can|has to|needs to|is allowed|sends?|pushes|merges|touches|"
    r"commits|shares|deploys|edits|gets)\b.{3,}|"
    r"^(?:all|every|each|any|no|nothing|only) (?!(?:\w+ )?(?:rows?|columns?|cells?|items?|elements?|images?|values?|fields?|"
    r"buttons?|numbers?|strings?|characters?|words?|lines?|paragraphs?|sentences?|of (?:this|these|them|the)|other|"
    r"one)\b)[\w '/&.-]{0,60}? ?(?:must|should|may|has to|have to|"
    r"needs? to|gets?|goes?|go|is|are) (?:always |never |only |not |to be |allowed |reviewed|\w+ed\b).{3,}|"
    r"^(?:the |our |my )?[\w'’&-]+(?: [\w'’&-]+){0,4}? ?\b(?:code ?name|name|nickname|alias|url|address|e-?mail|phone|number|"
    r"birthday|anniversary|time ?zone|default branch|owner|maintainer|budget|deadline|limit|password manager|licen[cs]e|motto|"
    r"mascot|hashtag|prefix|headquarters)(?: (?:of|for) [\w' -]{2,40})? (?:is|are|will be) "
    r"(?!(?:not|required|missing|wrong|empty|optional|invalid|too|undefined|null|incorrect|unclear|confusing|broken|already|"
    r"being)\b)\S.{1,}", _I)
POLICY = re.compile(
    r"\b(?:passwords?|secrets?|credentials?|api keys?|tokens?|keys|private keys?|certificates?|passphrases?)\b.{0,60}?\b(?:live|go|"
    r"goes|lives|stay|belong|kept|stored?|managed|must|should|never|"
    r"rotated?|only|always|expire|don't|do not|shared?|not)\b|\b(?:rotate|store|keep|never (?:commit|share|paste|send)|"
    r"don't (?:commit|share|paste)|put|manage|save)\b.{0,40}\b(?:passwords|secrets|credentials|"
    r"api keys?|tokens?|keys)\b", _I)

# Without one of these words a pattern cannot match; most sentences have none, and are done with at once.
WORDS = {name: frozenset(words.split()) for name, words in {
    "ASK":
        "remember mind note notes forget memorise memorize memory memories save store keep record records log file jot "
        "write commit put add hang hold stash tuck jot take memo bear reference reminder",
    "THAT":
        "remember hang hold stash note save store memorise memorize record forget keep bear put write",
    "RULE":
        "now onward onwards here point moment day today going forward forwards henceforth future next starting",
    "TAKEN_BACK":
        "never nevermind scratch strike forget ignore don't not disregard kidding joking need",
    "WRONG":
        "no nope nah not almost close nearly wrong incorrect correction actually scratch strike misspoke mistake correct "
        "that's that you've other backwards just to you make rather sorry i got let",
    "POLICY":
        "password passwords secret secrets credential credentials key keys token tokens certificate certificates "
        "passphrase passphrases",
    "DECISION":
        "decided agreed settled chose chosen picked opted concluded switched moved migrated standardised standardized "
        "committed dropped ditched abandoned replaced renamed adopted retired phased resolved voted signed landed went "
        "going gonna go sticking stick stay staying longer more anymore stopped quit made set fixed changed will using "
        "moving migrating switching keeping dropping decision agreement verdict conclusion official final let's we'll "
        "plan consensus called postponed rescheduled deprecated discontinued merged cancelled pushed capped limited due",
    "TASTE":
        "i we i'd i'm my our me is are call calls everyone",
    "FACT":
        "i we i'm i've we're my our name's the",
}.items()}

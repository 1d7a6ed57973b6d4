"""Which entries of the last injection a message corrects, by rule, in Chinese and English.

Three things must come together: a word that takes something back ("不对", "it's … now", "we switched to"), at least two
words shared with the entry, and another value for the same thing, or the entry's own value denied. Not meant are
agreement, thanks, questions, suppositions, quotations, corrections of what the assistant wrote or made up, another
aspect of the same subject, and a message that says what the entry says. Of several entries the best match is
meant; others only when they match as well, or when another clause of the message is about them. What shares too
little with an entry for that, such as a bare value, is left to `correction_kinds`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

from deepseedian.core.aspect import aspects, contrasted, timeless, values, without
from deepseedian.core.correction_kinds import amiss, bare, gone, shifted, swap, swapped
from deepseedian.core.telling import FUNCTION
from deepseedian.core.telling import chars as chars_of
from deepseedian.core.telling import terms as terms_of
from deepseedian.core.text import normalise, tokens

MESSAGE_LIMIT = 1000  # who puts a fact right says so soon
SHARED = 2
EQUAL = 0.85  # of the best match's score
_I = re.IGNORECASE


class Remembered(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...


# Words that look like a correction and are none.
_HARMLESS = re.compile(
    r"不对[称稱等劲勁付口外]|对不对|對不對|是不是|不是不|没错|沒錯|不错|不錯|错不了|不是问题|没问题|没有问题|沒問題|不客气|不用谢|"
    r"不用客气|不好意思|不得不|不仅|不僅|不只|"
    r"[没沒]有?[记記搞弄说說写寫][反错錯混]了?|不是故意|不是很急|不急|差不多|不过(?![敏期来去关大])|不過(?![敏期來去關])|对不起|"
    r"(?<!早就)(?<!早已)不用了|不必了|要不要|好不好|能不能|可不可以|"
    r"行不行|不一定|不知道|不确定|说不定|不是说|不管|不如说|"
    r"\bno (?:problem|worries|thanks|thank you|need|doubt|idea|rush|matter|wonder|big deal|kidding|way|one|questions?|further|"
    r"changes?|more questions|objections?|hurry|pressure)\b|"
    r"\bnot (?:bad|only|sure|yet|necessarily|just|at all|a problem|to mention|urgent|to worry|really)\b|\bwhy not\b|\bor not\b|"
    r"\bif not\b|\bnothing wrong\b|\bnot wrong\b|"
    r"\bno,? (?:thanks|thank you|that'?s (?:fine|ok|okay|all|it|good|great|correct|right)|it'?s (?:fine|ok|okay|all right|good)|"
    r"i'?m (?:good|fine|ok)|all good|go ahead|you'?re right|nothing)\b", _I)
_AGREES = re.compile(r"^\W*(?:对的?|對的?|是的?|没错|沒錯|正确|正確|好的?|可以|行|谢谢|yes|yeah|yep|right|correct|exactly|agreed|"
                     r"ok(?:ay)?|great|perfect|"
                     r"thanks?|good|sure)(?=\W|$)", _I)
_FILLER = (r"(?:嗯|呃|额|啊|哦|噢|唉|诶|哎呀?|等等|等一下|等下|抱歉|不好意思|hm+|uh+|um+|well|wait|oh|hey|sorry|hold on|hang on|"
           r"but|but wait|and)")
_POLITE = re.compile(r"^(?:i(?:'m| am)? (?:think|believe|guess|afraid|pretty sure|fairly sure)|i'm sorry but)(?: that)? "
                     r"(?=(?:you|that|it|this|your|those|these)\b)", _I)
# Of several things one is said to be as remembered: "the check-up is right, but …".
_AS_IS = re.compile(r"(?:(?<=^)|(?<=[,，。;；:：!?\n]))[^,，。;；:：!?\n]{1,40}?(?:没错|沒錯|是?对的|是?對的|是?正确的?|没变|"
                    r"沒變|不变|照旧|"
                    r"(?<!\bnot)(?:\b(?:is|are|was)|'s) (?:still )?(?:right|correct|fine|unchanged|the same|true))(?=$|[,，。;；.!\n])|"
                    r"(?:^|(?<=[,，。;；]))\s*(?:you(?:'re| are) )?right about [^,，。;；.!\n]{1,40}", _I)
_YET = re.compile(r"但|不过|不過|只是|\bbut\b|\bonly\b", _I)
_NOT = re.compile(r"\b(?:no|not|none|neither|nothing|isn't|aren't|never)\b|不|没(?!错|变)", _I)
_SEVERAL = re.compile(r"(?:两|兩|二|三|俩|几|都|全|以上|和.{1,8})[条條个個件者]?(?:记忆|信息)?(?:都|全|也|"
                      r"已经)*(?:[记記写寫搞弄])?(?:错|錯|不对|不對|过时|過時|改了|变了|變了|换了|有误|不准)|"
                      r"^(?:both|neither|none|all|two|three)\b|\bboth\b.{0,40}\b(?:wrong|outdated|changed|moved|out of date|"
                      r"incorrect|stopped)\b", _I)
_SHOULD = re.compile(r"\bshould (?:have been|be)\b|[应應][该該](?:是|为|為)|[应應][为為]", _I)
# Of one time only: what holds in general stays as it is.
_ONCE = re.compile(r"(?<![从自])(?:今天|今晚|明天|明早|昨天|昨晚)(?!起|开始)|这次|(?<!as of )(?<!since )(?<!from )\b(?:today|"
                   r"tonight|tomorrow|yesterday|this time)\b", _I)
_OCLOCK = re.compile(r"^(?:现在|現在)?(?:都|已经|已經|到)+(?!改|换|是)[零一二两三四五六七八九十\d:点點半分]+了?$|^it(?:'s|"
                     r" is) [\d:apm. ]+already$", _I)
_LEAD = re.compile(rf"^(?:{_FILLER}[\s,.!~…]*)+(?=\S)", _I)

# The message takes something back. Possessive: 你说的 is two pieces or one, and a run of it was tried in every way.
_OPENER = re.compile(
    r"^(?:(?:你说的|你记的|这条|那条|这个|那个|记忆里?|这|這|那|你|您|上面|刚才|信息|记录|说的|都|好像|已经|全|可能|恐怕|似乎|"
    r"大概|[两兩二三俩几]|条|條|件|者|个|個|以上)*+)"
    r"(?:反了|颠倒了|顛倒了|[正刚剛恰]好(?:是)?相反|不(?:太|大|完全|"
    r"怎么|全)?[对對]|不是这样|不是這樣|不是的|不是(?!什么|我)|不准确|不准|"
    r"有误|有誤|"
    r"(?:记|記|搞|弄|说|說|写|寫|想|看)(?:错|錯|反|混)了?|错了|錯了|错啦|过时了?|過時了?|过期了|旧了|老黄历|不成立)|^(?:不+|非也|"
    r"更正(?:一下)?|纠正(?:一下|下)?|订正(?:一下)?)(?=\W|$)|"
    r"^(?:no+|nope|nah|wrong|incorrect|(?:(?:one|a|two|three|few|couple of|small|slight|quick|minor) )*corrections?|"
    r"(?:both|neither|none|all)(?: (?:of )?(?:them|these|those|that|the two))?(?: entries| facts| notes)?(?: is| are|'re| was|"
    r" were)?(?: now| all)? "
    r"(?:wrong|incorrect|outdated|out of date|stale|obsolete|mistaken|right|true|correct|not (?:right|true|correct))(?: any ?more| now)?|"
    r"(?:(?:it|that|those|these|they)(?:'s|'re| is| are) |you(?:'ve| have)? (?:got |have )?(?:it |that |those |them |"
    r"these )?)?(?:exactly |just )?(?:the )?"
    r"(?:other way (?:a?round)|wrong way (?:a?round)|opposite|backwards?|reversed|swapped|mixed up|transposed|vice versa)|"
    r"(?:both|all|these|those)(?: of (?:them|these|those))? need(?:s)? (?:correcting|updating|fixing|to be \w+ed|an update|"
    r"a correction)|swap (?:those|them|these|the two)|"
    r"(?:those|these|they)(?:'re| are)(?: both| all)?(?: now)? (?:wrong|incorrect|outdated|out of date|off|stale|not right)|"
    r"you(?:'ve| have)? (?:mixed|swapped|switched|confused|reversed|muddled)(?: up)?(?: (?:them|those|these|it|that|"
    r"the \w+))?(?: up| round| around)?|outdated|out of date|stale|obsolete|not so|untrue|false|not (?:quite|true|right|"
    r"correct|exactly|any ?more|any longer)|negative|"
    r"(?:that|this|it)(?:'s| is| was|'s all| info(?:rmation)? is| note is| memory is)(?: a bit| now| actually| no longer| all|"
    r" totally| completely| simply)* "
    r"(?:wrong|incorrect|outdated|out of date|old(?: info(?:rmation)?| news)?|stale|obsolete|not (?:right|true|correct|quite right|"
    r"accurate|the case)|not .{1,20} any ?more|inaccurate|false|no longer (?:true|the case|right|correct|accurate))|"
    r"(?:that|it) (?:isn't|is not|wasn't|ain't) (?:right|true|correct|quite right|accurate|the case)(?: any ?more)?|that changed|"
    r"that has changed|that's changed|"
    r"(?:you|your (?:memory|note|notes|info))(?:'ve| have| must have| has)? ?(?:got|have|are|is|must have|remembered|"
    r"has)\b.{0,24}\b(?:wrong|mixed up|"
    r"outdated|out of date|incorrect(?:ly)?|stale)|you're (?:wrong|mistaken|out of date|misremembering))(?=\W|$)", _I)
_ENDS = re.compile(r"(?:不对|不對|(?:记|記|搞|弄|说|說|写|寫)反|反了|(?:记|記|搞|弄|说|說|写|寫)?(?:错|錯)|过时|過時|不准)(?:了|"
                   r"啦)?(?:吧|哦|喔|啊)?$|(?:旧|舊|"
                   r"老)(?:的)?(?:信息|消息|资料|版本的|黄历)(?:了)?$|"
                   r"\b(?:is|are|was|were|'s|got) (?:all |just |simply |now |a bit |the )*(?:wrong way (?:a?round)|"
                   r"other way (?:a?round)|swapped|reversed|backwards|mixed up|wrong|incorrect|outdated|out of date|stale|"
                   r"obsolete|off|mistaken|not right|not true)$", _I)
_WEAK = re.compile(r"^(?:其实|其實|事实上|實際上|实际上|准确(?:地|来)说|確切|确切|actually|in fact|as a matter of fact|technically|"
                   r"to be precise|fyi|"
                   r"just so you know|heads up)(?![a-z])", _I)
_CHANGE = re.compile(
    r"改成|改到|改为|改為|改在|改用|改叫|改吃|改喝|改由|改名|更名|换成|換成|换到|換到|换为|换了|換了|换去|变成|變成|变为|變為|"
    r"更新[为為成]|升级到|升級到|升到|降到|涨到|搬到|搬去|搬家|移到|挪到|迁到|遷到|迁移到|调到|"
    r"调成|调整[到为]|延到|推迟到|延期到|"
    r"提前到|切换到|切到|转到|转为|转去|不再|早就不|已经不|早已不|现在不|不(?:用|是|在|叫|喝|吃|住|做|养|去).{0,14}了(?=\W|$)|而是|"
    r"(?:应该|應該|应当|應當)(?:是|叫|为|用|在|去|先|找|写|走)|应为|"
    r"應為|才对|才對|才是|"
    r"其实是|其實是|实际上?是|现在(?:是|叫|用|在|由|归|改|都|已|住|换|只)|現在(?:是|叫|用|在|由)|目前(?:是|用|在)|已经(?:换|改|搬|"
    r"升|离|停|下线|废|取消|卖|戒)|早就(?:换|改|搬|升|停|废|下线|取消|"
    r"卖|戒)|早已(?:换|改)|取消了|停用了|下线了|废弃了|离职了|戒了|卖了|"
    r"\b(?:switched|moved|migrated|changed|renamed|upgraded|converted|relocated|rescheduled|postponed|pushed|shifted|transitioned|"
    r"bumped|raised|lowered|increased|reduced|cut|swapped(?=.{1,30}\b(?:for|with|to|out)\b)|replaced|dropped|retired|deprecated|"
    r"abandoned|cancel+ed|discontinued|decommissioned|stopped|quit|gave up|got rid of|took over|taken over|handed over|sold|renewed|"
    r"extended|shortened|doubled|halved|reassigned|rewritten|ported)\b|"
    r"\bno longer\b|\bany ?more\b|\bany longer\b|\bused to\b|\binstead of\b|\brather than\b|\binstead$|\bshould(?:'ve|"
    r" have)? (?:actually |really |now )?(?:be(?:en)?|say|read|use)\b|\bit(?:'s| is) (?:actually|really|supposed to be|meant to be)\b|"
    r"\b(?:is|are|'s|'re|was|am|'m|lives?|uses?|use|runs?|works?|prefers?|drinks?|eats?|goes|have|has|we|i|they|she|he|"
    r"it)\s(?:[^,.]{0,40}\s)?now\b|\bnow\b(?=.{0,12}\b(?:is|are|use[sd]?|runs?|lives?|at|on|in|called|prefer|belongs?)\b)|"
    r"\b\w{3,}s (?:\w+ ){1,4}now$|\bthese days\b|\bnowadays\b|\bas of (?:this|last|today|now)\b|\bactually (?:is|are|on|at|in|"
    r"called|uses?|prefer|named)\b|"
    r"\b(?:is|are|'s) actually\b|\bnot\b.{1,40}\bbut\b", _I)
_MILD = re.compile(r"now\b|these days|现在|現在|目前", _I)
_STATE = re.compile(r"应该|應該|应当|应为|实际|實際|更新一下|改了|变了|现在|現在|目前|如今|了(?=\W|$)|\b(?:now|currently|already|"
                    r"actually|"
                    r"in fact|should|update|turned|turns|since|left \w+(?= ,|$)|went (?:up|"
                    r"down)|goes by|got|"
                    r"has become|"
                    r"became|ended up)\b", _I)
_FIRST = re.compile(r"我(?:从来|其实|现在|真的|已经)*不(?!是|知道|确定|明白|懂|会|能|想)|\bi(?:'m not| am not| don't| do not|"
                    r" never)\b(?! (?:know|think|"
                    r"understand|see|remember|get|mind|care|need|want|sure))", _I)
_DONE = re.compile(r"\b(?:paid|done|finished|ready|approved|agreed|signed|sent|\w{2,}ed (?:it|that|this|them)) now\b", _I)
_CANCELLED = re.compile(r"取消|停办|不办了|不开了|没了|废了|停用|下线|\b(?:cancel+ed|gone|discontinued|retired|dropped|no longer)\b", _I)
_COMPARES = re.compile(r"\b(?:over|than|before|after)\b|比|先|再|之前|之后", _I)
_DOES = re.compile(r"\b(?:is|are|'s|was|were) (?:now |still )?(\w{3,}ing)\b|\b(takes|costs|weighs|needs|looks|seems|feels|broke|"
                   r"fails|failed|crashed|hangs)\b", _I)
_IS = re.compile(r"^(?P<what>.*?)(?P<is>\s(?:is|are|was|were)(?:\s(?:called|named|on|in|at|from|with|by))?\s|是|叫|姓|"
                 r"(?<=\S)在)(?P<value>.+)$", _I)
_VALUE = re.compile(r"\b(?:is|are|was|'s|uses?|runs?|called|named|(?:moved|switched|migrated|changed|renamed) to)\s+(?:now |"
                    r"actually )?(?:(?:on|in|at|by|with) )?(?:the )?[A-Z0-9]|[是叫用在成到][\u4e00-\u9fffA-Za-z0-9 ]")
_OF = re.compile(r"(?P<of>[\u4e00-\u9fffA-Za-z0-9 ]{1,16})的(?P<what>[\u4e00-\u9fff]{1,8}?)(?=是|在|叫|改|换|为|应|失|变|定|有|不|"
                 r"没|已|早|现|需|要|得|"
                 r"[A-Za-z0-9]|\W|$)|\b(?P<en>\w+)'s (?P<thing>\w+(?: \w+)?)(?= (?:is|are|was|should|has|lives?)\b)")

# What is said, but not claimed.
_SUPPOSES = re.compile(
    r"如果|假如|假设|假設|假使|要是|万一|萬一|倘若|若是|比方说?|比如|例如|举个?例|譬如|设想|"
    r"\b(?:if|suppos(?:e|ing)|imagine|what if|let'?s say|say we|assum(?:e|ing)|for example|for instance|e\.g|hypothetically|unless|"
    r"in case|pretend|wish|in (?:my|the|this|our) (?:story|novel|book|game|poem|scene|movie|film|chapter|example))\b|(?:小说|故事|"
    r"剧本|游戏|例子)(?:里|中)", _I)
_HEDGES = re.compile(
    r"也许|也許|或许|或許|可能|大概|(?:^|(?<=[,\s]))要不|不如|考虑|考慮|打算|想把|想要|希望|建议|建議|是否|能否|也行|也可以|该不该|"
    r"需不需要|有没有|"
    r"有沒有|是不是|会不会|為什麼|为什么|为啥|怎么|怎麼|什么|什麼|哪[个里天些]|多少|几点|谁|"
    r"\b(?:maybe|perhaps|might|possibly|i wonder|wondering|thinking (?:of|about)|consider(?:ing)?|should (?:we|i)|shall we|could we|"
    r"can we|how about|what about|let'?s|would it|would you|"
    r"i(?:'d| would) (?:like|love|rather|prefer) (?:to|you)|i want(?:ed)? (?:to|you)|planning to)\b|^(?:why|what|when|where|who|"
    r"which|how|is|are|does|do|did|was|were|has|have|can|could|will|would|isn't|aren't|wasn't|doesn't|didn't|hasn't)\s", _I)
_ASKS = re.compile(
    r"帮我|幫我|给我|(?<![申邀])(?:請|请)(?![假客求教])|麻烦|重写|重新写|重来|翻译|翻譯|再试|解释|总结|展开|简短|列出|说一下|继续|"
    r"發給|发给|你(?:来|去|"
    r"再|把|先|直接|应该|應該|要|得|可以|能)(?!.{0,3}记)(?!.{1,12}[记記搞弄][反错錯混])|"
    r"\b(?:please|can you|could you|would you|show me|give me|send|rewrite|rephrase|reword|translate|try again|explain|summari[sz]e|"
    r"shorten|tell me|remind me|write me|write a|draft|make it|make the|leave it|keep it|you should|you need to|you can)\b", _I)
_MEANS = re.compile(
    r"我(?:问|問|指|想问|要问|要)的(?:是|不是)|我的意思|我是(?:说|問|问|想)|我(?:刚才|刚|本来)?(?:是)?(?:说|想说|指)的是|"
    r"\bi (?:meant|mean|was (?:asking|talking|referring)|wasn't (?:asking|talking|referring)|am (?:asking|talking)|asked|"
    r"wanted to ask|typed|"
    r"misspoke)\b|\bi'm (?:not )?(?:asking|talking)\b|\bmy question\b", _I)
_BY_YOU = re.compile(r"^(?:但|可)?你(?:刚才|刚刚|上次|之前|怎么)*(?:说|写|讲|记|弄|搞)(?:成|的是|了)|\byou (?:just )?(?:said|"
                     r"told me|claimed)\b", _I)
_AS_SAID = re.compile(r"\b(?:as|like) i (?:said|told(?: you)?|mentioned)(?: (?:before|earlier|already))?|我(?:之前|早就|上次)?(?:说|"
                      r"讲|提)过的?", _I)
_MADE_UP = re.compile(r"(?:没|沒|没有|从没|從沒|从来没|从未)(?:有)?(?:说|說|提|讲|讓|让|告诉|要求)过?|编的|瞎编|胡说|凭空|"
                      r"\b(?:never|didn't|did not|haven't|hadn't) (?:actually )?(?:said?|mention(?:ed)?|told?|ask(?:ed)?|state[d]?|"
                      r"claim(?:ed)?)\b|\bmade (?:that|it|this) up\b|\bhallucinat|\binvented\b|where did you get", _I)
_WORK = re.compile(
    r"(?:你|您|这|這|那|上面|上述|刚才|以上|第.{1,3})(?:的|这|那|写|寫|给|給|生成|用|翻|列|画|改|里|个|段|一)*的?(?:代码|代碼|函数|"
    r"函數|变量|變量|方法|脚本|正则|查询|语句|段|句|行|回答|答案|回复|"
    r"回覆|翻译|翻譯|译文|总结|總結|摘要|草稿|表格|标题|標題|语气|語氣|措辞|"
    r"例子|示例|公式|文案|邮件|郵件|列表|格式|计算|結果|结果|图|测试用例)|你(?:写|生成|翻译?|画|起草|贴)(?:的|出|了|成|得)|你(?:给|"
    r"列|做|发|提供|总结)的.{0,8}(?:代码|例子|示例|表格|方案|草稿|链接|图|答案|格式|公式|脚本)|译(?:成|作|为)|翻(?:成|译成|譯成)|"
    r"错别字|语法错|编译|报错|"
    r"缩进错|语气|措辞|"
    r"\b(?:your|the above|that|this|the (?:first|second|third|last|previous|generated|next)) (?:\w+ ){0,2}?(?:code|function|"
    r"variable|method|script|regex|query|snippet|answer|reply|response|translation|summary|draft|table|title|heading|tone|"
    r"wording|phrasing|example|formula|e-?mail|list|bullet|paragraph|sentence|line|output|loop|class|test|import|calculation|math|"
    r"suggestion|diagram|step|format(?:ting)?)\b|"
    r"\byou (?:wrote|used|generated|translated|formatted|named|spelled|called|put|forgot|missed|miscounted|calculated)\b|\btypo\b|"
    r"\bthe (?:function|method|loop|regex|query|variable) (?:should|must|needs to|returns?)\b|"
    r"\bmisspel|\bsyntax error\b|\bcompil(?:e|er|es|ation)\b|\bline \d+\b|\btraceback\b|\bunit test fails\b", _I)
_OTHERS = re.compile(r"(?:他|她|他们|她们|老板|同事|客户|用户|小说|主角|[\u4e00-\u9fff]{1,3})(?:说|問|问|觉得|认为|以为|写道|"
                     r"講)(?!错|錯|的|过|明)|"
                     r"\b(?!i\b|we\b|you\b)\w+ (?:said|says|claims?|claimed|thinks?|thought|told|asked|wrote|insists?|believes?)\b", _I)
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"|(?<!\w)'[^']{2,}'(?!\w)|`[^`]*`")

# What a clause denies.
_DENIED = re.compile(
    r"(?:不再(?:是|用|叫|在)?|早就不|已经不|早已不|现在不|从来不|没有?再|不是|不叫|不姓|不在|不用|不吃|不喝|不喜欢|不住|不养|不做|不去|"
    r"别用|并非|並非|取代(?:了)?|替代(?:了)?|替换(?:了)?|停用了|停掉了|扔掉|"
    r"告别|戒了|卖了)(?P<a>[^,。;]*?)(?=而是|改[成用到为吃喝叫]|换成|换到|是(?!的)|$|[,。;])|"
    r"(?:从|由|把|将)(?P<b>[^,。;]{1,24}?)(?:改|换|換|搬|迁|升|调|移|切|变|变更|推迟|提前)[^,。;]{0,2}?(?:到|成|为|至)|"
    r"(?P<c>[^,。;]{1,16})(?:已经|早就|早)?(?:停用|"
    r"下线|废弃|取消|离职|卖|戒|没)了|不(?P<h>(?!会|能|知|要紧|好意|得)[^,。;]{2,14}?)了(?=$|[,。;\s])|哪(?:有|"
    r"是)(?P<g>[^,。;]{1,12})|对(?P<f>[^,。;]{1,12})不过敏|"
    r"\b(?:not|isn't|aren't|wasn't|don't|doesn't|didn't|never|no longer|instead of|rather than|used to(?: be| use| live| work)?|"
    r"stopped(?: using)?|quit|dropped|retired|abandoned|got rid of|sold|replaced|off of|off|away from|from|ain't)\s+"
    r"(?P<d>[^,.;]*?)(?=\s(?:but|to|with|now|any ?more|any longer)\b|$|[,;]|\.(?:\s|$))|(?P<e>[^,.;]{2,40}?)\s(?:is|was|are|were|"
    r"has been|got)\s(?:gone|retired|dropped|deprecated|cancel+ed|replaced|discontinued|decommissioned|shut down|outdated|sold)\b", _I)
_NEGATED = re.compile(r"[不没沒无]|别|\b(?:not|no|never|don't|doesn't|isn't|aren't|without|avoid|stop)\b", _I)


@dataclass(frozen=True, slots=True)
class _Claim:
    """What is left of a message: what it claims, what of that it denies, and how clearly it takes something back."""

    said: str
    denied: str
    opener: bool
    weak: bool
    change: bool
    clauses: tuple[str, ...]
    agrees: bool = False
    mild: bool = False  # it began like one: "actually"
    several: bool = False  # it says that more than one is wrong
    swap: bool = False
    partly: bool = False  # it says that a part is right


def corrects(message: str, injected: Sequence[Remembered]) -> list[str]:
    """The ids of the entries that a message corrects, in the order they were injected; most often none or one."""
    claim = _claim(message[:MESSAGE_LIMIT]) if injected else None
    if claim is None:
        return []
    texts = {item.id: normalise(item.text) for item in injected}
    found = _meant(claim, texts)
    apart = {key for piece in _pieces(claim) for key in _meant(piece, texts)} if len(texts) > 1 else set()
    if len(apart) > 1:
        found = apart
    if claim.several or not found:
        found |= _otherwise(claim, texts)
    return [key for key in texts if key in found]


def _meant(claim: _Claim, texts: dict[str, str]) -> set[str]:
    """The entries that the words of a claim fit best."""
    terms = {key: terms_of(text) for key, text in texts.items()}
    scores = {key: score for key, text in texts.items() if (score := _score(claim, text, terms[key], list(terms.values())))}
    best = max(scores.values(), default=0.0)
    return {key for key, score in scores.items() if score >= best * EQUAL > 0}


def _otherwise(claim: _Claim, texts: dict[str, str]) -> set[str]:
    """The entries that a claim corrects in another way than by their words with another value."""
    takes = claim.opener or claim.denied != ""
    found = {key for key, text in texts.items()
             if ((claim.opener or claim.swap) and swapped(claim.clauses, text, claim.swap))
             or (takes and amiss(claim.clauses, text, claim.several))
             or shifted(claim.clauses, text, claim.opener)}
    if not found and (takes or claim.mild or _SHOULD.search(claim.said)):
        found = {key for key in (bare(_asserted(claim), texts),) if key}
    if not found and len(texts) == 1:
        found = {key for key, text in texts.items() if gone(claim.clauses, text)}
    return found


def _pieces(claim: _Claim) -> list[_Claim]:
    """Each clause of a claim as a claim of its own, when there are several: one may be said for each entry."""
    parts = [part.strip() for clause in claim.clauses for part in re.split(r"\s(?:and|while|whereas)\s", clause) if part.strip()]
    if len(parts) < 2:
        return []
    return [_Claim(part, _denials(part), claim.opener, claim.mild or bool(_STATE.search(part)), _changes(part, claim.agrees), (part,),
                   claim.agrees, claim.mild, claim.several, claim.swap) for part in parts]


# The message


def _claim(message: str) -> _Claim | None:
    own = _own_words(message)
    text = _AS_IS.sub(lambda match: match[0] if _NOT.search(match[0]) else " ", own)
    partly, text = text != own, _HARMLESS.sub(" ", text)
    opener, mild = False, partly and bool(_YET.search(own))
    left: list[str] = []
    for sentence in re.split(r"(?<=[。!?;\n])|(?<=\.)(?=\s|$)", text):
        found = _claimed(sentence)
        opener |= found[0]
        mild |= found[1]
        left += found[2]
    said = " , ".join(left)
    if not said or _WORK.search(said):
        return None
    agrees = bool(_AGREES.search(message))
    change, denied = _changes(said, agrees), _denials(said)
    weak = mild or bool(_STATE.search(said))
    if not (opener or weak or change or denied) or (_ONCE.search(said) and not opener):
        return None
    return _Claim(said, denied, opener and not agrees, weak, change, tuple(left), agrees, mild, bool(_SEVERAL.search(text)), swap(text),
                  partly)


def _changes(said: str, agrees: bool) -> bool:
    harmless = agrees or bool(_DONE.search(said))
    return any(not (harmless and _MILD.search(match[0])) for match in _CHANGE.finditer(said))


def _denials(said: str) -> str:
    return " , ".join(filter(None, (next(filter(None, match.groups()), "").strip() for match in _DENIED.finditer(said))))


def _own_words(message: str) -> str:
    """Without code, quoted lines and quoted speech; a quoted word stays."""
    lines, fenced = [], False
    for line in normalise(message).replace("\u2019", "'").splitlines():
        if re.match(r"\s*(?:```|~~~)", line):
            fenced = not fenced
        elif not fenced and not re.match(r"\s*(?:>|\||\$ |at \w)", line):
            lines.append(line)
    return _QUOTED.sub(lambda match: " " if _speech(match[0]) else match[0][1:-1], "\n".join(lines))


def _speech(quoted: str) -> bool:
    inner = quoted[1:-1].strip()
    return bool(_OPENER.search(inner) or _CHANGE.search(inner)) or len(inner) > 40 or len(inner.split()) > 5


def _claimed(sentence: str) -> tuple[bool, bool, list[str]]:
    """(takes back, mildly, the clauses that claim something) of one sentence."""
    asks = sentence.rstrip().endswith("?")
    clauses = [clause.strip(" \t\n.!?;。~") for clause in re.split(r"[,，、;；—]+|:(?!\d)|\s[-–]+\s|\s(?=but\b)|\.{2,}|…+", sentence)]
    clauses = [clause for clause in clauses if clause]
    opener = weak = False
    kept: list[str] = []
    for number, clause in enumerate(clauses):
        clause = _POLITE.sub("", _LEAD.sub("", clause))
        if _OCLOCK.search(clause):
            continue
        start = _OPENER.search(clause)
        mild = _WEAK.search(clause)
        weak |= bool(mild)
        rest = clause[start.end():].strip() if start and not clause.startswith("不是") else clause
        rest = _WEAK.sub("", rest).strip()
        if _SUPPOSES.search(rest):
            break
        if (asks and number == len(clauses) - 1) or re.search(r"[吗嗎呢]$|(?<!什)么$", rest):
            if not re.search(r"不是(?:早就|早已|已经|早).*了[吗嗎]$", rest):
                continue
            opener, rest = True, rest.removesuffix("吗").replace("不是", "", 1)
        takes = bool(start or (_ENDS.search(clause) and not _WORK.search(clause)))
        rest = _AS_SAID.sub(" ", rest).strip()
        if not rest or _HEDGES.search(rest) or _ASKS.search(rest) or _BY_YOU.search(rest):
            opener |= takes and not rest
            continue
        opener |= takes
        if _MEANS.search(rest):  # what the owner wanted to say or ask, not what is so
            return False, False, []
        if (_OTHERS.search(rest) and not opener) or (rest.endswith("吧") and not opener):
            break
        kept.append(rest)
    return opener, weak, kept


# One entry


def _score(claim: _Claim, text: str, terms: frozenset[str], others: Sequence[frozenset[str]]) -> float:
    """How well the claim fits as a correction of this text; 0 for one that is none."""
    shared = terms_of(claim.said) & terms
    loose = chars_of(claim.said) & chars_of(text) - {char for term in shared for char in term}
    if not shared and len(loose) < SHARED:
        return 0.0
    asserted = _asserted(claim)
    replaced, denied = _replaced(asserted, text), _denied(claim, asserted, text, terms)
    told, about = aspects(text), aspects(claim.said)
    if len(shared) + len(loose) < SHARED:
        alone = about & told or claim.partly or not terms_of(without(text)) - shared - {"user", "sinc", "i'v"}
        whole = (denied and alone) or (claim.several and _begins(claim.said) & _begins(text)) or _turned_round(asserted, text, terms)
        if not shared or not (whole or _pointed(asserted, text, frozenset().union(*others), replaced)):
            return 0.0
    if contrasted(claim.said, text) and not (claim.opener and _one_word(asserted, terms)):
        return 0.0
    if not (denied or _fits(claim, asserted, text, terms, replaced)):
        return 0.0
    agree = len(about & told) - 0.5 * bool(told - about)
    weights = [_weight(term, others) for term in shared]
    return max(0.1, sum(weights) + 0.3 * len(loose) + 1.5 * denied + 1.0 * replaced + 0.5 * agree)


def _begins(text: str) -> set[str]:
    """The word that a statement begins with: what it is about."""
    return {*[term for term in tokens(text) if term in terms_of(text)][:1]}


def _one_word(asserted: str, terms: frozenset[str]) -> bool:
    """Whether it differs from a text in one word only: with breakfast, with dinner."""
    said = terms_of(asserted)
    return len(said - terms - {"sorri"}) == 1 == len(terms - said) and len(said & terms) > SHARED


def _asserted(claim: _Claim) -> str:
    """What is claimed without what is denied."""
    found = claim.said
    for part in filter(None, claim.denied.split(" , ")):
        found = found.replace(part, " ", 1)
    return found


def _denied(claim: _Claim, asserted: str, text: str, terms: frozenset[str]) -> bool:
    """Whether the entry's own value is what the message denies: most of the denied words are the entry's."""
    if not (claim.opener or claim.weak or claim.change or _FIRST.search(claim.said) or terms_of(asserted) - terms):
        return False  # "no need to change the page size" takes nothing back
    for part in filter(None, claim.denied.split(" , ")):
        found = terms_of(timeless(part))
        if _MADE_UP.search(claim.said):
            return len(found & terms) >= SHARED and len(found - terms) <= 1
        if found & terms and (len(found & terms) >= len(found) / 2):
            return True
        if len(part) <= 2 and len(chars_of(part)) == len(part) and part in text:
            return True
    return False


def _replaced(asserted: str, text: str) -> bool:
    """Whether a value of the entry has another value of its kind in the message, and the entry's is not claimed there."""
    new, old = values(asserted), values(text)
    return any(new[kind] - old[kind] and old[kind] - new[kind] for kind in new.keys() & old.keys())


def _fits(claim: _Claim, asserted: str, text: str, terms: frozenset[str], replaced: bool) -> bool:
    """Whether what is claimed is another value for what the entry tells."""
    if _MADE_UP.search(claim.said):
        return False
    new, old = values(asserted), values(text)
    if replaced or _framed(asserted, text):
        return bool(claim.opener or claim.weak or claim.change)
    if new and all(kind in old and new[kind] <= old[kind] for kind in new):  # it says what the entry says
        return False
    if _turned_round(asserted, text, terms):
        return claim.opener or claim.weak
    novel, named = terms_of(asserted) - terms, _named(asserted, terms)
    if not novel:
        return claim.opener and _turned(asserted, text, terms)
    if _elsewhere(asserted, text, terms, named, bool(new), bool(old)) and not _CANCELLED.search(asserted):
        return False
    if claim.change or (named and (claim.opener or claim.weak)):
        return True
    return claim.opener and _alike(asserted, text, terms)


def _alike(asserted: str, text: str, terms: frozenset[str]) -> bool:
    """Whether they say the like: "no, the server room is too hot" only speaks of the same thing."""
    shared = terms_of(asserted) & terms
    if len(shared) > len(terms) / 2 or (aspects(without(asserted)) & aspects(text)) - aspects(" ".join(shared)):
        return True
    words = [term for term in tokens(asserted) if term in shared or term in terms_of(asserted)]
    return bool(words) and words[-1] in shared  # the new value stands between words of the entry


def _elsewhere(asserted: str, text: str, terms: frozenset[str], named: bool, new: bool, old: bool) -> bool:
    """Whether it tells of another aspect of the entry's subject."""
    about, told = aspects(asserted) - ({"version", "number"} if named else set()), aspects(text)
    if about - {"tool"} and not about & told:
        return True
    if any(not terms_of(match[1] or match[2]) & terms for match in _DOES.finditer(asserted)):
        return True
    if new and not named and not {*values(asserted)} & {*values(text)} and not aspects(" ".join(
            value for kind in values(asserted).values() for value in kind)) & told:
        return True
    if old and not new and not about & told and not (named and _named(text, frozenset())):
        return True
    for match in _OF.finditer(without(asserted)):
        of, what = match["of"] or match["en"], match["what"] or match["thing"]
        if _near(of, text, terms) and not _near(what, text, terms) and not aspects(what) & told:
            return True
    return False


def _near(words: str, text: str, terms: frozenset[str]) -> bool:
    return bool(terms_of(words) & terms or chars_of(words) & chars_of(text))


def _turned_round(asserted: str, text: str, terms: frozenset[str]) -> bool:
    """Whether it says the very words of a text that denies them: "I do eat spicy food"."""
    return bool(_NEGATED.search(text)) and not _NEGATED.search(asserted) and all(
        any(char in FUNCTION for char in term) for term in terms_of(asserted) - terms)


def _turned(asserted: str, text: str, terms: frozenset[str]) -> bool:
    """Whether the same words stand in another order around a comparison: spaces over tabs."""
    if not (_COMPARES.search(asserted) and _COMPARES.search(text)):
        return False
    first, second = ([term for term in dict.fromkeys(tokens(one)) if term in terms] for one in (asserted, text))
    return first != [term for term in second if term in first]


def _pointed(asserted: str, text: str, known: frozenset[str], replaced: bool) -> bool:
    """Whether one telling word beside small ones is enough: nothing is new in the message but the value itself."""
    if _framed(asserted, text):
        return True
    together = bool(aspects(asserted) & aspects(text))
    if len({*tokens(asserted)} & {*tokens(text)}) < SHARED and not together:
        return False
    novel = {term for term in terms_of(without(asserted)) - known if not any(char in FUNCTION for char in term)}
    if replaced:
        return not novel
    same = not aspects(asserted) - aspects(text) - {"tool"}
    return same and len(novel) <= 5 and _named(asserted, known) and bool(_VALUE.search(asserted))


def _framed(asserted: str, text: str) -> bool:
    """Whether both say the same of the same, up to the value: "our mascot is …"."""
    for clause in asserted.split(" , "):
        new, old = _IS.match(clause), _IS.match(text)
        if new and old and new["is"].casefold() == old["is"].casefold() and terms_of(new["what"]) == terms_of(old["what"]) != frozenset():
            done = [re.match(r"\w+(?:ed|en|ing)\b", value) for value in (new["value"], old["value"])]
            alike = not any(done) or (all(done) and done[0][0] == done[1][0])  # type: ignore[index]
            return alike and bool(terms_of(new["value"]) - terms_of(old["value"]))
    return False


def _named(asserted: str, terms: frozenset[str]) -> bool:
    """Whether a new name stands in it: without a clear word that takes something back only that is telling."""
    names = re.findall(r"(?<=\s)[A-Z]\w+|(?<=[\u4e00-\u9fff])\s?[A-Za-z]\w+|(?:是|叫|用|在|由)[\u4e00-\u9fff]{2,}", without(asserted))
    return any(terms_of(name) - terms for name in names)


def _weight(term: str, others: Sequence[frozenset[str]]) -> float:
    """A term that few of the injected entries have says more about which is meant."""
    share = sum(term in one for one in others) / len(others)
    return (0.4 if any(char in FUNCTION for char in term) else 1.0) * (1.0 + log(1.0 / share) if share else 1.0)

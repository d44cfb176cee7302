"""The panes and the key table of the two-agent screen, and the commands it refuses."""

from negotiation_tui.tui.toolkit.keys import Keys, key_rows

PRICE, GAMES, WALLETS, SELLER_PLAN, BUYER_PLAN, OFFERS = 1, 2, 3, 4, 5, 6

KEYS = Keys(
    key_rows("""
q         | quit          | Watch | quit | quit | exit
? (f1)    | help          | Watch | open or close the help | help | help
space     | run           | Watch | pause or run | pause
.         | offer         | Step  | pause and show the next offer | step
n         | negotiation   | Step  | pause and show all of this game | next
m         | more          | Step  | train 50 cycles more, also after the last
s         | seller        | Seats | the seller: its fixed rule, or learned | seller
b         | buyer         | Seats | the buyer: its fixed rule, or learned | buyer
t         | toggle        | Seats | both: fixed rules, or learned | both: rules/learned
S         | seller_menu   | Seats | choose who plays the seller, from a list
B         | buyer_menu    | Seats | choose who plays the buyer, from a list
c         | cycle         | Step  | pause and train to the end of the cycle | cycle
+ (=)     | faster        | Watch | faster, up to flat out | {paces} pace
- (_)     | slower        | Watch | slower
N         | skip_opening  | Watch | skip the opening of the story
D         | story         | Watch | return to the story, which slows down for news
p | sit | Play | play: as the buyer, then as the seller, then leave | play | {close} leaves
enter     | take          | Play  | choose; why a number; in a game: offer | | offer
e         | test          | Seats | test both plans in 1000 games | test
,         | back          | Time  | pause and go one offer back, into the past | back
[         | earlier       | Time  | pause and go back one cycle, also flat out
]         | later         | Time  | go forward one cycle, up to the present
H         | chapters      | Time  | the story so far: choose a sentence to go to
g         | go            | Time  | go to a cycle: type its number, then Enter
f         | what_if       | Time  | what if: choose another action and see what follows
a         | accept        | Play  | in a game: accept the price | | accept
x         | reject        | Play  | in a game: walk away, no deal | | no deal
"         | say           | Play  | in a game with talk: say something, then move | | say
P         | peek          | Play  | in a game: show or hide both plans | | peek
z         | zoom          | View  | the chosen pane on the whole screen, or all | zoom
tab       | next_pane     | View  | choose the next pane | pane
shift-tab | previous_pane | View  | choose the previous pane
1 2 3 4 5 6 7 8 9 | pane          | View  | choose a pane; in a game: type a price
v         | values        | View  | all values: raw, by sum, by best; then bars | numbers
u         | other_opener  | View  | all values as opener and responder, or as in play
L         | limits        | View  | show hidden limits, or only at the end | limits
d         | other_limit   | View  | the plan at another hidden limit, or as in play
i         | advice        | Play  | show or hide advice for the next move | advice | advice
A         | adjust        | Seats | change a setting of the training: α, γ, ε, steps
o         | opener        | Seats | who opens: seller, buyer or in turns | opener
up k      | up            | View  | move up; in a game: a much higher price
down j    | down          | View  | move down; in a game: a much lower price
left h    | left          | View  | move left; in a game: a lower price | | {left}{right} price
right l   | right         | View  | move right; in a game: a higher price
pgup      | page_up       | View  | scroll up a page
pgdn      | page_down     | View  | scroll down a page
home      | first         | Time  | go to the beginning; a zoomed Q-table: its top
end       | last          | Time  | go to the present; a zoomed Q-table: its end
w         | save          | Files | save Q-tables, transcripts and the screen | save
T         | tour          | Watch | the tour: nine lessons, then back here
r         | restart       | Time  | restart the training from the same seed | restart
ctrl-l    | repaint       | View  | repaint the screen; with --speak: say it again
esc       | close         | View  | close the box; follow the game again; leave a game
""")
)

FOCUS = {
    PRICE: "{advice} advice",
    SELLER_PLAN: "{values} all values",
    BUYER_PLAN: "{values} all values",
    WALLETS: "{toggle} fixed rules or learned · {zoom} the original's wallets",
    GAMES: "{zoom} curves of the training",
    OFFERS: "{zoom} whole screen",
}
"""The key of each pane in the footer of a low screen, or the next one if that is unused."""
IN_PAST = "{last} to the present"
IN_WHAT_IF = "{close} back to the real game"

from tests.tui.negotiation.test_playback import *
for seed in range(3):
    for size in ((120,36),(80,24)):
        screen = story(seed,*size); first=both=None
        while both is None:
            screen.doze(1)
            got=[max(worth(screen, role), default=0) > 0 for role in Role]
            if any(got) and first is None: first=screen.now
            if all(got): both=screen.now
        print(seed,size,first,both)
    print(sum(n < 2 for n in offers_on_the_bar(story(seed), 60)))

"""The panes of the two-agent screen: each draws one part of it on a canvas."""

//! How a tab is cut into panes: a tree of splits.

use serde::{Deserialize, Serialize};

/// A part of a tab.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Node {
    Pane(u32),
    Split { direction: Direction, ratio: f32, first: Box<Self>, second: Box<Self> },
}

/// How a split puts its parts: beside each other, or one above the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Direction {
    #[serde(alias = "right")]
    Horizontal,
    #[serde(alias = "down")]
    Vertical,
}

impl Direction {
    /// What requests and answers call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Horizontal => "right",
            Self::Vertical => "down",
        }
    }
}

/// A place on the screen, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Rect {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// One cut, as `pane.layout` shows it.
#[derive(Debug, Serialize)]
pub(crate) struct Cut {
    id: String,
    direction: &'static str,
    ratio: f32,
    rect: Rect,
}

impl Node {
    /// The panes, from left to right and from top to bottom.
    pub(crate) fn panes(&self) -> Vec<u32> {
        match self {
            Self::Pane(pane) => vec![*pane],
            Self::Split { first, second, .. } => [first.panes(), second.panes()].concat(),
        }
    }

    /// Puts a new pane beside another one; the other keeps `ratio` of the place.
    pub(crate) fn split(&mut self, pane: u32, new: u32, direction: Direction, ratio: f32) -> bool {
        match self {
            Self::Pane(own) if *own == pane => {
                let (first, second) = (Box::new(Self::Pane(pane)), Box::new(Self::Pane(new)));
                *self = Self::Split { direction, ratio, first, second };
                true
            }
            Self::Pane(_) => false,
            Self::Split { first, second, .. } => {
                first.split(pane, new, direction, ratio) || second.split(pane, new, direction, ratio)
            }
        }
    }

    /// Takes a pane out; its neighbour gets the place. `None` when it was the only one.
    pub(crate) fn without(self, pane: u32) -> Option<Self> {
        match self {
            Self::Pane(own) => (own != pane).then_some(Self::Pane(own)),
            Self::Split { direction, ratio, first, second } => {
                match (first.without(pane), second.without(pane)) {
                    (Some(first), Some(second)) => {
                        let (first, second) = (Box::new(first), Box::new(second));
                        Some(Self::Split { direction, ratio, first, second })
                    }
                    (one, other) => one.or(other),
                }
            }
        }
    }

    /// Where each pane is when the whole has `area`.
    pub(crate) fn rects(&self, area: Rect) -> Vec<(u32, Rect)> {
        match self {
            Self::Pane(pane) => vec![(*pane, area)],
            Self::Split { direction, ratio, first, second } => {
                let (one, other) = cut(area, *direction, *ratio);
                [first.rects(one), second.rects(other)].concat()
            }
        }
    }

    /// The cuts, the outermost first.
    pub(crate) fn cuts(&self, area: Rect) -> Vec<Cut> {
        let mut cuts = Vec::new();
        self.collect_cuts(area, "", &mut cuts);
        cuts
    }

    fn collect_cuts(&self, area: Rect, path: &str, cuts: &mut Vec<Cut>) {
        let Self::Split { direction, ratio, first, second } = self else {
            return;
        };
        let name = if path.is_empty() { "root" } else { path };
        let id = format!("split_{}_{name}", cuts.len());
        cuts.push(Cut { id, direction: direction.word(), ratio: *ratio, rect: area });
        let (one, other) = cut(area, *direction, *ratio);
        first.collect_cuts(one, &format!("{path}0"), cuts);
        second.collect_cuts(other, &format!("{path}1"), cuts);
    }
}

fn cut(area: Rect, direction: Direction, ratio: f32) -> (Rect, Rect) {
    let part = |whole: u16| {
        let part = (f32::from(whole) * ratio).round();
        // A ratio is between 0 and 1, so the part fits.
        if part.is_finite() { (part as u16).min(whole) } else { whole }
    };
    match direction {
        Direction::Horizontal => {
            let width = part(area.width);
            let x = area.x + width;
            (Rect { width, ..area }, Rect { x, width: area.width - width, ..area })
        }
        Direction::Vertical => {
            let height = part(area.height);
            let y = area.y + height;
            (Rect { height, ..area }, Rect { y, height: area.height - height, ..area })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Direction, Node, Rect};

    const AREA: Rect = Rect { x: 26, y: 1, width: 54, height: 23 };

    #[test]
    fn a_pane_that_replaces_another_gets_its_place() {
        let mut node = Node::Pane(1);
        assert!(node.split(1, 2, Direction::Vertical, 0.5));
        assert!(node.split(1, 3, Direction::Horizontal, 0.3));
        let places = node.rects(AREA);
        let first = Rect { width: 16, height: 12, ..AREA };
        assert_eq!(places.first(), Some(&(1, first)));
        assert!(node.split(1, 4, Direction::Horizontal, 0.5));
        let node = node.without(1).unwrap_or(Node::Pane(0));
        assert_eq!(node.rects(AREA).first(), Some(&(4, first)));
        assert_eq!(node.panes(), [4, 3, 2]);
        assert_eq!(node.cuts(AREA).len(), 2);
    }
}

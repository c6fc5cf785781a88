//! Evaluations of whole conversations: which of the assistant's turns are asked for, and what stands before them.

use std::str::FromStr;

use prompt_core::{Message, Messages, Prompt, Role};

use crate::{Error, Result};

/// Which of the assistant's turns of a conversation are asked for.
///
/// ```
/// use prompt_eval::Turns;
///
/// assert_eq!("every_with_gt".parse::<Turns>()?, Turns::EveryWithGold);
/// let error = "sometimes".parse::<Turns>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no way `sometimes` to ask for turns; use `last`, `every` or `every_with_gt`"
/// );
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turns {
    /// The last, after the turns that the row has.
    Last,
    /// Each, after what the model itself answered before.
    Every,
    /// Each, after what the row says the assistant answered before.
    EveryWithGold,
}

impl FromStr for Turns {
    type Err = Error;

    /// Reads AISBench's names for them.
    fn from_str(name: &str) -> Result<Turns> {
        match name {
            "last" => Ok(Turns::Last),
            "every" => Ok(Turns::Every),
            "every_with_gt" => Ok(Turns::EveryWithGold),
            _ => Err(
                Error::new(format!("there is no way `{name}` to ask for turns"))
                    .with_help("use `last`, `every` or `every_with_gt`"),
            ),
        }
    }
}

/// A conversation that is asked turn by turn.
///
/// ```
/// use prompt_core::{Message, Messages};
/// use prompt_eval::{Conversation, Turns};
///
/// let row = Messages::from([
///     Message::user("1+1?"), Message::assistant("2"), Message::user("2+2?"), Message::assistant("4"),
/// ]);
/// let mut asked = Conversation::new(row, Turns::Every)?;
/// assert_eq!(asked.request().map(|request| request.len()), Some(1));
/// asked.answer("two");
/// let request = asked.request().unwrap();
/// assert_eq!((request.len(), &*request[1].text()), (3, "two"));
/// assert_eq!(asked.gold().as_deref(), Some("4"));
/// asked.answer("four");
/// assert!(asked.request().is_none());
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversation {
    messages: Messages,
    mode: Turns,
    /// The turn that is asked for next.
    at: Option<usize>,
}

impl Conversation {
    /// A conversation with the assistant's turns as the row has them.
    ///
    /// # Errors
    /// No turn of the assistant's, and messages that could not be written.
    pub fn new(messages: Messages, mode: Turns) -> Result<Conversation> {
        messages.check()?;
        let mut turns = messages
            .iter()
            .enumerate()
            .filter(|(_, message)| message.role == Role::Assistant);
        let at = match mode {
            Turns::Last => turns.next_back(),
            Turns::Every | Turns::EveryWithGold => turns.next(),
        };
        let Some((at, _)) = at else {
            return Err(Error::new(
                "the assistant has no turn in this conversation, so nothing is asked",
            )
            .with_help("end each round with an `assistant` text that holds the answer"));
        };
        Ok(Conversation {
            messages,
            mode,
            at: Some(at),
        })
    }

    /// An opening, such as instructions, and rounds of questions and answers.
    ///
    /// # Errors
    /// As [`new`](Conversation::new).
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    /// use prompt_eval::{Conversation, Turns};
    ///
    /// let opening = Messages::from([Message::system("Add.")]);
    /// let round = |question: &str, answer: &str| Messages::from([Message::user(question), Message::assistant(answer)]);
    /// let asked = Conversation::of(&opening, [round("1+1?", "2"), round("2+2?", "4")], Turns::Last)?;
    /// assert_eq!(asked.request().unwrap().len(), 4);
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn of<P: Prompt>(
        opening: &(impl Prompt + ?Sized),
        rounds: impl IntoIterator<Item = P>,
        mode: Turns,
    ) -> Result<Conversation> {
        let mut messages = opening.messages();
        for round in rounds {
            let round = round.with_answer();
            round.check()?;
            messages.extend(round);
        }
        Conversation::new(messages, mode)
    }

    /// All turns: those that were asked with the model's answers, where these count.
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// What the model is asked next; nothing after the last turn.
    pub fn request(&self) -> Option<Messages> {
        let before = self.messages.iter().take(self.at?);
        Some(before.cloned().collect())
    }

    /// What the row says that the model is to answer.
    pub fn gold(&self) -> Option<String> {
        let message = self.messages.as_slice().get(self.at?)?;
        Some(message.text().into_owned())
    }

    /// Goes on after the model's answer.
    pub fn answer(&mut self, answer: &str) {
        let Some(at) = self.at.take() else { return };
        if self.mode == Turns::Every
            && let Some(message) = self.messages.iter_mut().nth(at)
        {
            *message = Message::assistant(answer);
        }
        let mut later = self.messages.iter().enumerate().skip(at + 1);
        self.at = later
            .find(|(_, message)| message.role == Role::Assistant)
            .map(|(at, _)| at);
    }
}

/// The questions of a row with their answers.
///
/// # Errors
/// Lists of different lengths.
///
/// ```
/// use prompt_eval::rounds;
///
/// assert_eq!(rounds(["1+1?", "2+2?"], ["2", "4"])?, [("1+1?", "2"), ("2+2?", "4")]);
/// let error = rounds(["1+1?", "2+2?"], ["2"]).unwrap_err();
/// assert_eq!(error.to_string(), "there are 2 questions and 1 answers");
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub fn rounds<Q, A>(
    questions: impl IntoIterator<Item = Q>,
    answers: impl IntoIterator<Item = A>,
) -> Result<Vec<(Q, A)>> {
    let questions: Vec<Q> = questions.into_iter().collect();
    let answers: Vec<A> = answers.into_iter().collect();
    if questions.len() != answers.len() {
        let (questions, answers) = (questions.len(), answers.len());
        return Err(Error::new(format!(
            "there are {questions} questions and {answers} answers"
        )));
    }
    Ok(questions.into_iter().zip(answers).collect())
}

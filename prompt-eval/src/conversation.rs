//! Evaluation of conversations: which assistant turns the model generates, and with which history.

use std::str::FromStr;

use prompt_core::{Message, Messages, Prompt, Role};

use crate::DataError;

/// Which assistant turns of a conversation the model generates.
///
/// ```
/// use typed_prompt::eval::TurnMode;
///
/// assert_eq!("every_with_gt".parse::<TurnMode>()?, TurnMode::EveryWithGold);
/// let error = "sometimes".parse::<TurnMode>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no turn mode `sometimes`; use `last`, `every` or `every_with_gt`"
/// );
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TurnMode {
    /// The last turn, after the turns of the row.
    Last,
    /// Every turn, after the model's own answers to the previous turns.
    Every,
    /// Every turn, after the correct answers to the previous turns.
    EveryWithGold,
}

impl FromStr for TurnMode {
    type Err = DataError;

    /// Parses AISBench's names of the modes.
    fn from_str(name: &str) -> Result<TurnMode, DataError> {
        match name {
            "last" => Ok(TurnMode::Last),
            "every" => Ok(TurnMode::Every),
            "every_with_gt" => Ok(TurnMode::EveryWithGold),
            _ => Err(DataError::new(format!("there is no turn mode `{name}`"))
                .with_help("use `last`, `every` or `every_with_gt`")),
        }
    }
}

/// A conversation that is sent turn by turn.
///
/// ```
/// use typed_prompt::{Message, Messages, eval::{Conversation, TurnMode}};
///
/// let row = Messages::from([
///     Message::user("1+1?"), Message::assistant("2"), Message::user("2+2?"), Message::assistant("4"),
/// ]);
/// let mut conversation = Conversation::new(row, TurnMode::Every)?;
/// assert_eq!(conversation.next_request().map(|request| request.len()), Some(1));
/// conversation.push_answer("two");
/// let request = conversation.next_request().unwrap();
/// assert_eq!((request.len(), &*request[1].text()), (3, "two"));
/// assert_eq!(conversation.gold().as_deref(), Some("4"));
/// conversation.push_answer("four");
/// assert!(conversation.next_request().is_none());
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversation {
    messages: Messages,
    mode: TurnMode,
    /// The index of the next turn.
    next: Option<usize>,
}

impl Conversation {
    /// A conversation whose assistant messages are the correct answers.
    ///
    /// # Errors
    /// There is no assistant message.
    pub fn new(messages: Messages, mode: TurnMode) -> Result<Conversation, DataError> {
        Conversation::with_opening(messages, 0, mode)
    }

    /// A conversation whose first messages are not turns.
    fn with_opening(
        messages: Messages,
        opening: usize,
        mode: TurnMode,
    ) -> Result<Conversation, DataError> {
        let mut turns = messages
            .iter()
            .enumerate()
            .skip(opening)
            .filter(|(_, message)| message.role == Role::Assistant);
        let next = match mode {
            TurnMode::Last => turns.next_back(),
            TurnMode::Every | TurnMode::EveryWithGold => turns.next(),
        };
        let Some((next, _)) = next else {
            return Err(DataError::new("the conversation has no assistant turn")
                .with_help("end each round with an `assistant` text that contains the answer"));
        };
        Ok(Conversation {
            messages,
            mode,
            next: Some(next),
        })
    }

    /// A conversation of an opening, such as instructions, and rounds of questions and answers. The messages of the opening are sent as they are: the model
    /// answers only the rounds, also if the opening has assistant messages.
    ///
    /// # Errors
    /// The rounds have no assistant message, and a prompt that cannot be rendered.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::{Conversation, TurnMode}};
    ///
    /// let opening = Messages::from([Message::system("Add.")]);
    /// let round = |question: &str, answer: &str| Messages::from([Message::user(question), Message::assistant(answer)]);
    /// let conversation = Conversation::from_prompt(&opening, [round("1+1?", "2"), round("2+2?", "4")], TurnMode::Last)?;
    /// assert_eq!(conversation.next_request().unwrap().len(), 4);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn from_prompt<P: Prompt>(
        opening: &(impl Prompt + ?Sized),
        rounds: impl IntoIterator<Item = P>,
        mode: TurnMode,
    ) -> Result<Conversation, DataError> {
        let mut messages = opening.messages()?;
        let fixed = messages.len();
        for round in rounds {
            messages.extend(round.messages_with_answer()?);
        }
        Conversation::with_opening(messages, fixed, mode)
    }

    /// All messages. In the mode [`TurnMode::Every`] they contain the model's answers so far.
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// The messages of the next request, or `None` after the last turn.
    pub fn next_request(&self) -> Option<Messages> {
        let before = self.messages.iter().take(self.next?);
        Some(before.cloned().collect())
    }

    /// The correct answer of the next turn.
    pub fn gold(&self) -> Option<String> {
        let message = self.messages.as_slice().get(self.next?)?;
        Some(message.text().into_owned())
    }

    /// Adds the model's answer, and moves on to the next turn.
    pub fn push_answer(&mut self, answer: &str) {
        let Some(current) = self.next.take() else {
            return;
        };
        if self.mode == TurnMode::Every
            && let Some(message) = self.messages.iter_mut().nth(current)
        {
            *message = Message::assistant(answer);
        }
        let mut later = self.messages.iter().enumerate().skip(current + 1);
        self.next = later
            .find(|(_, message)| message.role == Role::Assistant)
            .map(|(index, _)| index);
    }
}

/// Pairs the questions of a row with their answers.
///
/// # Errors
/// The lists have different lengths.
///
/// ```
/// use typed_prompt::eval::split_rounds;
///
/// assert_eq!(split_rounds(["1+1?", "2+2?"], ["2", "4"])?, [("1+1?", "2"), ("2+2?", "4")]);
/// let error = split_rounds(["1+1?", "2+2?"], ["2"]).unwrap_err();
/// assert_eq!(error.to_string(), "there are 2 questions and 1 answers");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
pub fn split_rounds<Q, A>(
    questions: impl IntoIterator<Item = Q>,
    answers: impl IntoIterator<Item = A>,
) -> Result<Vec<(Q, A)>, DataError> {
    let questions: Vec<Q> = questions.into_iter().collect();
    let answers: Vec<A> = answers.into_iter().collect();
    if questions.len() != answers.len() {
        return Err(DataError::new(format!(
            "there are {} questions and {} answers",
            questions.len(),
            answers.len()
        )));
    }
    Ok(questions.into_iter().zip(answers).collect())
}

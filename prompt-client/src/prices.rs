//! Prices of tokens.

use prompt_core::Usage;

/// Prices of a model, per million tokens, in any currency.
///
/// ```
/// use typed_prompt::{client::Prices, llm::Usage};
///
/// let prices = Prices::per_million(3.0, 15.0).cached_input(0.3).cache_writes(3.75);
/// assert_eq!(prices.cost(&Usage::new(1_000_000, 100_000)), 4.5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[must_use = "prices have an effect where they are given to a model"]
pub struct Prices {
    input: f64,
    output: f64,
    cached_input: f64,
    cache_writes: f64,
}

impl Prices {
    /// Prices of a million input tokens and of a million output tokens. Tokens that are read from a cache or written to it cost as much as other input,
    /// unless they have a price of their own.
    ///
    /// A price per token, such as `input_cost_per_token` of LiteLLM's table, is multiplied by 1,000,000. Without that, costs are a millionth of the real ones,
    /// and a budget is never reached.
    ///
    /// ```
    /// use typed_prompt::{client::Prices, llm::Usage};
    ///
    /// let (input_cost_per_token, output_cost_per_token) = (2.5e-6, 1e-5);
    /// let prices = Prices::per_million(input_cost_per_token * 1e6, output_cost_per_token * 1e6);
    /// assert_eq!(prices, Prices::per_million(2.5, 10.0));
    /// assert_eq!(prices.cost(&Usage::new(1_000_000, 0)), 2.5);
    /// ```
    pub fn per_million(input: f64, output: f64) -> Prices {
        Prices {
            input,
            output,
            cached_input: input,
            cache_writes: input,
        }
    }

    /// Sets the price of input tokens that are read from a prompt cache.
    pub fn cached_input(self, cached_input: f64) -> Prices {
        Prices {
            cached_input,
            ..self
        }
    }

    /// Sets the price of input tokens that are written to a prompt cache.
    pub fn cache_writes(self, cache_writes: f64) -> Prices {
        Prices {
            cache_writes,
            ..self
        }
    }

    /// The cost of a call.
    #[expect(
        clippy::cast_precision_loss,
        reason = "no call has more than 2^52 tokens"
    )]
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_input.saturating_add(usage.cache_writes);
        let other = usage.input.saturating_sub(cached);
        let parts = [
            (other, self.input),
            (usage.cached_input, self.cached_input),
            (usage.cache_writes, self.cache_writes),
            (usage.output, self.output),
        ];
        parts
            .iter()
            .map(|(tokens, price)| *tokens as f64 * price)
            .sum::<f64>()
            / 1e6
    }
}

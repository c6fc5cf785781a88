//! Prompts as scalar functions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, StringViewBuilder, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, internal_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use typed_prompt::{ChatFormat, Prompt};

use crate::columns::{Columns, RowPrompt};

/// A scalar function that renders a prompt as the text of a chat format.
///
/// Its arguments are the fields of the prompt: in their order, by name (`text => body`), or as one struct. Arguments that do not fit
/// are an error when the query is planned, with the field, its type and the type of the column. A row that cannot be rendered, for
/// example because data contains a control token and the guard rejects it, is an error of the query with the number of the row in its batch.
///
/// # Errors
/// Fields that serde does not know from the type alone.
///
/// ```
/// use datafusion::prelude::*;
/// use prompt_datafusion::render_udf;
/// use typed_prompt::{Prompt, format};
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "<count> times <text>")]
/// struct Repeat {
///     text: String,
///     count: u8,
/// }
///
/// # #[tokio::main]
/// # async fn main() -> datafusion::error::Result<()> {
/// let ctx = SessionContext::new();
/// ctx.register_udf(render_udf::<Repeat>("repeat_text", format::PLAIN)?);
/// let rows = ctx.sql("SELECT repeat_text(count => 3, text => 'no') AS prompt").await?.collect().await?;
/// let shown = datafusion::arrow::util::pretty::pretty_format_batches(&rows)?.to_string();
/// assert!(shown.contains("3 times no"));
///
/// let error = ctx.sql("SELECT repeat_text('no', 'three')").await.unwrap_err();
/// assert!(error.to_string().contains("the field `count` is `u8`, and argument 2 is Utf8"));
/// # Ok(())
/// # }
/// ```
pub fn render_udf<P: RowPrompt>(
    name: &str,
    format: impl ChatFormat + 'static,
) -> Result<ScalarUDF> {
    Ok(render::<P>(name, format)?.0)
}

/// The function, and what distinguishes it from others.
pub(crate) fn render<P: RowPrompt>(
    name: &str,
    format: impl ChatFormat + 'static,
) -> Result<(ScalarUDF, String)> {
    let columns = Columns::from_prompt::<P>()?;
    let names: Vec<String> = columns.field_names().map(str::to_owned).collect();
    let signature = Signature::user_defined(Volatility::Immutable).with_parameter_names(names)?;
    let info = <P::Row<'static> as Prompt>::INFO;
    let identity = format!(
        "{name} {} {} {} {:?}",
        info.name,
        info.fingerprint,
        format.family().name,
        format.format_options()
    );
    let function = ScalarUDF::from(RenderFunction::<P> {
        name: name.to_owned(),
        columns,
        signature,
        format: Arc::new(format),
        identity: identity.clone(),
        prompt: PhantomData,
    });
    Ok((function, identity))
}

struct RenderFunction<P> {
    name: String,
    columns: Columns,
    signature: Signature,
    format: Arc<dyn ChatFormat>,
    /// The identity of the function.
    identity: String,
    prompt: PhantomData<fn() -> P>,
}

impl<P> fmt::Debug for RenderFunction<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderFunction")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl<P> PartialEq for RenderFunction<P> {
    fn eq(&self, other: &RenderFunction<P>) -> bool {
        self.identity == other.identity
    }
}

impl<P> Eq for RenderFunction<P> {}

impl<P> Hash for RenderFunction<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity.hash(state);
    }
}

impl<P: RowPrompt> RenderFunction<P> {
    /// Whether the arguments are one struct with the fields.
    fn is_struct(&self, arguments: &[FieldRef]) -> bool {
        let [argument] = arguments else {
            return false;
        };
        let DataType::Struct(_) = argument.data_type() else {
            return false;
        };
        !matches!(&self.columns.fields[..], [field] if matches!(field.data_type(), DataType::Struct(_)))
    }
}

impl<P: RowPrompt> ScalarUDFImpl for RenderFunction<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("`return_field_from_args` is called instead")
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(types.to_vec())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let arguments = args.arg_fields;
        if self.is_struct(arguments) {
            let DataType::Struct(fields) = arguments[0].data_type() else {
                return internal_err!("it is a struct");
            };
            // To the planner, all fields of a struct may be null: nulls are found when the row is read.
            let fields: Vec<FieldRef> = fields
                .iter()
                .map(|field| Arc::new(field.as_ref().clone().with_nullable(false)))
                .collect();
            self.columns.find_columns(&fields)?;
        } else {
            self.columns.check_arguments(arguments)?;
        }
        Ok(Arc::new(Field::new(&self.name, DataType::Utf8View, false)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = args
            .args
            .iter()
            .all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let count = if is_scalar { 1 } else { args.number_rows };
        let arrays: Vec<ArrayRef> = args
            .args
            .iter()
            .map(|value| value.to_array(count))
            .collect::<Result<_>>()?;
        let mut arrays = match self.is_struct(&args.arg_fields) {
            true => struct_columns(&self.columns, &arrays[0])?,
            false => arrays,
        };
        let rows = self.columns.bind_rows(&mut arrays)?;
        let mut texts = StringViewBuilder::with_capacity(count);
        for number in 0..count {
            let failed = |error: String| {
                exec_datafusion_err!("{}: row {} of the batch: {error}", self.name, number + 1)
            };
            let prompt: P::Row<'_> = rows.read_row(number).map_err(failed)?;
            let text = prompt
                .to_text(&*self.format)
                .map_err(|error| failed(format!("{error:#}")))?;
            texts.append_value(text);
        }
        let texts: ArrayRef = Arc::new(texts.finish());
        Ok(match is_scalar {
            true => {
                ColumnarValue::Scalar(datafusion::common::ScalarValue::try_from_array(&texts, 0)?)
            }
            false => ColumnarValue::Array(texts),
        })
    }
}

/// The arrays of a struct that the fields are read from.
fn struct_columns(columns: &Columns, array: &ArrayRef) -> Result<Vec<ArrayRef>> {
    let array = array
        .as_any()
        .downcast_ref::<StructArray>()
        .ok_or_else(|| DataFusionError::Internal("the argument is a struct".to_owned()))?;
    let (fields, arrays, nulls) = array.clone().into_parts();
    if nulls.is_some_and(|nulls| nulls.null_count() > 0) {
        return Err(exec_datafusion_err!("the struct of the fields is null"));
    }
    let position = |name: &str| fields.iter().position(|field| field.name() == name);
    let found = columns.field_names().filter_map(position);
    Ok(found.map(|at| Arc::clone(&arrays[at])).collect())
}

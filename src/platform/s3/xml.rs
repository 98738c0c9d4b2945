//! The XML of S3. Names are compared without their namespace, which some implementations leave out.

use roxmltree::Node;

use super::{Object, Upload};
use crate::platform::clock::parse_timestamp;

pub(super) struct Document(String);

/// A page of the list of objects.
pub(super) struct ObjectList {
    pub(super) objects: Vec<Object>,
    /// The token of the next page.
    pub(super) next: Option<String>,
}

impl Document {
    /// `None` if the text is not XML.
    pub(super) fn parse(text: String) -> Option<Self> {
        roxmltree::Document::parse(&text).ok()?;
        Some(Self(text))
    }

    /// The code of an error; `None` for any other document.
    pub(super) fn error_code(&self) -> Option<String> {
        self.read("Error", |root| {
            let code = text(root, "Code")?;
            // It is part of messages.
            let is_code = code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
            is_code.then_some(code)
        })
    }

    pub(super) fn upload_id(&self) -> Option<String> {
        self.read("InitiateMultipartUploadResult", |root| text(root, "UploadId")).filter(|id| !id.is_empty())
    }

    /// `None` if the document is not a list, or a list without its end.
    pub(super) fn list(&self) -> Option<ObjectList> {
        self.read("ListBucketResult", |root| {
            let object = |node| Some(Object { key: text(node, "Key")?, bytes: text(node, "Size")?.parse().ok()? });
            let objects = children(root, "Contents").map(object).collect::<Option<_>>()?;
            let is_truncated = text(root, "IsTruncated").is_some_and(|text| text == "true");
            let next = text(root, "NextContinuationToken").filter(|token| is_truncated && !token.is_empty());
            (is_truncated == next.is_some()).then_some(ObjectList { objects, next })
        })
    }

    pub(super) fn uploads(&self) -> Option<Vec<Upload>> {
        self.read("ListMultipartUploadsResult", |root| {
            let upload = |node| {
                let started_at = text(node, "Initiated").and_then(|time| parse_timestamp(&time));
                Some(Upload { key: text(node, "Key")?, id: text(node, "UploadId")?, started_at })
            };
            children(root, "Upload").map(upload).collect()
        })
    }

    fn read<T>(&self, root: &str, read: impl FnOnce(Node<'_, '_>) -> Option<T>) -> Option<T> {
        let document = roxmltree::Document::parse(&self.0).ok()?;
        let element = document.root_element();
        if element.tag_name().name() == root { read(element) } else { None }
    }
}

/// The body that completes a multipart upload.
pub(super) fn complete_upload(etags: &[String]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let part = |(index, etag): (usize, &String)| {
        format!("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", index + 1, escaped(etag))
    };
    let parts: String = etags.iter().enumerate().map(part).collect();
    format!(
        "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{parts}</CompleteMultipartUpload>"
    )
}

fn children<'a, 'd>(node: Node<'a, 'd>, name: &'static str) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

fn text(node: Node<'_, '_>, name: &'static str) -> Option<String> {
    let child = children(node, name).next()?;
    Some(child.text().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Document {
        Document::parse(text.to_owned()).expect("XML")
    }

    #[test]
    fn lists_are_read_with_and_without_a_namespace_and_must_have_an_end() {
        let contents = "<Contents><Key>a/b+c&amp;d</Key><Size>12</Size></Contents>";
        for namespace in ["", " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""] {
            let text = format!(
                "<?xml version=\"1.0\"?><ListBucketResult{namespace}>\
                 <IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>{contents}</ListBucketResult>"
            );
            let list = parsed(&text).list().expect("a list");
            assert_eq!(list.objects, [Object { key: "a/b+c&d".to_owned(), bytes: 12 }]);
            assert_eq!(list.next.as_deref(), Some("t"));
        }
        let plain = parsed(&format!("<ListBucketResult>{contents}<IsTruncated>false</IsTruncated></ListBucketResult>"));
        let list = plain.list().expect("a list");
        assert_eq!((list.objects[0].key.as_str(), list.next), ("a/b+c&d", None));
        for broken in [
            "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
            "<html/>",
        ] {
            assert!(parsed(broken).list().is_none(), "{broken}");
        }
        assert!(Document::parse("<a".to_owned()).is_none());
    }

    #[test]
    fn only_a_plain_code_of_an_error_is_read() {
        let code = |text: &str| parsed(text).error_code();
        assert_eq!(
            code("<Error><Code>AccessDenied</Code><Message>x</Message></Error>").as_deref(),
            Some("AccessDenied")
        );
        assert_eq!(code("<Error><Code>a\nlong sentence</Code></Error>"), None);
        assert_eq!(code("<Other><Code>AccessDenied</Code></Other>"), None);
    }
}

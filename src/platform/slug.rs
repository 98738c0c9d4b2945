//! URL slugs.

/// Lower-case ASCII words of a text joined by hyphens, at most `max_length` characters, if possible cut
/// at the end of a word. Latin letters lose their accents, apostrophes are removed, and every other
/// character separates words. Empty for a text without Latin letters and digits.
pub fn slug(text: &str, max_length: usize) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' => plain.push(c),
            'A'..='Z' => plain.push(c.to_ascii_lowercase()),
            // Apostrophes, combining accents and zero-width characters are part of a word.
            '\'' | '‘' | '’' | 'ʼ' | '`' | '´' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{ad}' => {}
            _ => plain.push_str(latin(c).unwrap_or("-")),
        }
    }
    let mut slug = String::with_capacity(plain.len().min(max_length));
    for word in plain.split('-').filter(|word| !word.is_empty()) {
        if slug.is_empty() {
            // A long first word is cut; it is ASCII, so any index is a character boundary.
            slug.push_str(&word[..word.len().min(max_length)]);
        } else if slug.len() + 1 + word.len() <= max_length {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    slug
}

/// The ASCII form of a character of Latin-1 Supplement, Latin Extended-A or Romanian.
fn latin(c: char) -> Option<&'static str> {
    let lower = c.to_lowercase().next().unwrap_or(c);
    Some(match lower {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' | 'ª' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        '\u{133}' => "ij",
        'ĵ' => "j",
        'ķ' | 'ĸ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ŋ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'º' => "o",
        'ö' | 'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ſ' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ü' => "ue",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'þ' => "th",
        _ => return None,
    })
}
